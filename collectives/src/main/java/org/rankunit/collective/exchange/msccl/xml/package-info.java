/** Reads the XML, and refuses what MSCCL would refuse. */
@NullMarked
package org.rankunit.collective.exchange.msccl.xml;

import org.jspecify.annotations.NullMarked;
