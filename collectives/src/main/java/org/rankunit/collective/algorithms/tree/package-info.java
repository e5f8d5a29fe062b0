/** Data goes up and down a tree. */
@NullMarked
package org.rankunit.collective.algorithms.tree;

import org.jspecify.annotations.NullMarked;
