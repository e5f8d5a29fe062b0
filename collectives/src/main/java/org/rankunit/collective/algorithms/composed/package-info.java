/** Algorithms of several levels, inside servers and between them, each of which is another algorithm. */
@NullMarked
package org.rankunit.collective.algorithms.composed;

import org.jspecify.annotations.NullMarked;
