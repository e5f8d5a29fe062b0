/** What lies on disk after a run, kept by all its processes: locks, attempts, formats, and the file of durations. */
@NullMarked
package org.rankunit.engine.report.store;

import org.jspecify.annotations.NullMarked;
