/** Algorithms that use other algorithms. */
@NullMarked
package org.rankunit.coll.inner;

import org.jspecify.annotations.NullMarked;
