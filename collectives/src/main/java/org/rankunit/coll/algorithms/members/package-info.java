/** Algorithms among some of the ranks. */
@NullMarked
package org.rankunit.coll.algorithms.members;

import org.jspecify.annotations.NullMarked;
