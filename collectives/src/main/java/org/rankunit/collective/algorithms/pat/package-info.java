/** A tree for each rank's data, all trees at the same time: as many slices in one exchange as are allowed. */
@NullMarked
package org.rankunit.collective.algorithms.pat;

import org.jspecify.annotations.NullMarked;
