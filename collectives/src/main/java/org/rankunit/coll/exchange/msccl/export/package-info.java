/** Expresses schedules by threadblocks, and writes them. */
@NullMarked
package org.rankunit.coll.exchange.msccl.export;

import org.jspecify.annotations.NullMarked;
