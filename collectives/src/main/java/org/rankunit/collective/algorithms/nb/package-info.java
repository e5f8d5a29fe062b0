/** Nonuniform Bruck: in step k, each rank exchanges with those 2^k before and after it. */
@NullMarked
package org.rankunit.collective.algorithms.nb;

import org.jspecify.annotations.NullMarked;
