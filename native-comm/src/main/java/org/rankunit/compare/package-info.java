/** Comparing outputs with expected values at the speed of memory. Internal. */
@NullMarked
package org.rankunit.compare;

import org.jspecify.annotations.NullMarked;
