/** How long the report of a large run takes. */
@NullMarked
package org.rankunit.benchmarks.report;

import org.jspecify.annotations.NullMarked;
