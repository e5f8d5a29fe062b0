/** Many tests at once. */
@NullMarked
package org.rankunit.benchmarks.scale;

import org.jspecify.annotations.NullMarked;
