/** Algorithms that use other algorithms. */
@NullMarked
package org.rankunit.collective.inner;

import org.jspecify.annotations.NullMarked;
