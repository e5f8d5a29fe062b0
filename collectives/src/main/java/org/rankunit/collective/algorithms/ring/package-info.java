/** Data goes round from each rank to the next. */
@NullMarked
package org.rankunit.collective.algorithms.ring;

import org.jspecify.annotations.NullMarked;
