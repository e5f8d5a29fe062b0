/** Collects what a run's results say: for its report, and for the durations by which the next run is planned. */
@NullMarked
package org.rankunit.engine.collect;

import org.jspecify.annotations.NullMarked;
