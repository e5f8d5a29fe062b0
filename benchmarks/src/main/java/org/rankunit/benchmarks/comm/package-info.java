/** How fast barriers and windows are. */
@NullMarked
package org.rankunit.benchmarks.comm;

import org.jspecify.annotations.NullMarked;
