/** The algorithms that RankUnit brings for processing elements. */
@NullMarked
package org.rankunit.distributed.pe.algorithms;

import org.jspecify.annotations.NullMarked;
