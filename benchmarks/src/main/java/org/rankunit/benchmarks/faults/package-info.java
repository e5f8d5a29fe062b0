/** How fast a failure is known, and how fast its ranks are replaced. */
@NullMarked
package org.rankunit.benchmarks.faults;

import org.jspecify.annotations.NullMarked;
