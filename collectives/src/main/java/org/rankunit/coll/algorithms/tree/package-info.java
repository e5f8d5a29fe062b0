/** Data goes up and down a tree. */
@NullMarked
package org.rankunit.coll.algorithms.tree;

import org.jspecify.annotations.NullMarked;
