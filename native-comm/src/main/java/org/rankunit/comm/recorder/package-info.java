/**
 * The last operations of a communicator, kept so that a hang can be explained, and the lines of the test that call RankUnit.
 *
 * <p>Start at {@link org.rankunit.comm.recorder.FlightRecorder}. Uses no other package of the communicators.
 */
@NullMarked
package org.rankunit.comm.recorder;

import org.jspecify.annotations.NullMarked;
