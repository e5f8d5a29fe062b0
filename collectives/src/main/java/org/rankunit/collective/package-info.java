/**
 * Algorithms of collectives: what an algorithm computes, which resources it needs, and which tasks each rank runs. An
 * algorithm is written once; what it emits is data that is run, verified and timed.
 */
@NullMarked
package org.rankunit.collective;

import org.jspecify.annotations.NullMarked;
