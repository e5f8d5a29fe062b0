/** Algorithms in the XML of MSCCL: those of others as algorithms here, and schedules of algorithms here as XML. */
@NullMarked
package org.rankunit.collective.exchange.msccl;

import org.jspecify.annotations.NullMarked;
