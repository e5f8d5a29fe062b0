/** What the pool of devices costs, and how well its queue uses them. */
@NullMarked
package org.rankunit.benchmarks.pool;

import org.jspecify.annotations.NullMarked;
