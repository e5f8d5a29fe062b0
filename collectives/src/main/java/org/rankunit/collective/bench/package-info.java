/** How fast a collective is on real ranks, and whether its results are right: data, bandwidths, measured runs. */
@NullMarked
package org.rankunit.collective.bench;

import org.jspecify.annotations.NullMarked;
