/** Data goes round from each rank to the next. */
@NullMarked
package org.rankunit.coll.algorithms.ring;

import org.jspecify.annotations.NullMarked;
