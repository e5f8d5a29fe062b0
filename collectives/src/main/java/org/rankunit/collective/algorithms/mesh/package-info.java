/** Every rank exchanges data with every other one, at the same time. */
@NullMarked
package org.rankunit.collective.algorithms.mesh;

import org.jspecify.annotations.NullMarked;
