/** Nonuniform hierarchical ring: in each step, ranks at twice the distance exchange every second slice. */
@NullMarked
package org.rankunit.collective.algorithms.nhr;

import org.jspecify.annotations.NullMarked;
