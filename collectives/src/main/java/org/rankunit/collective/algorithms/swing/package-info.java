/** Partners swing from one side to the other, at distances of 1, 1, 3, 5, 11 and so on. */
@NullMarked
package org.rankunit.collective.algorithms.swing;

import org.jspecify.annotations.NullMarked;
