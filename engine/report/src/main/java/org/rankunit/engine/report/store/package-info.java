/** The files that all processes of a run write: reports with locks, attempts and formats, and the durations file. */
@NullMarked
package org.rankunit.engine.report.store;

import org.jspecify.annotations.NullMarked;
