/** Expresses schedules by threadblocks, and writes them. */
@NullMarked
package org.rankunit.collective.exchange.msccl.export;

import org.jspecify.annotations.NullMarked;
