package org.rankunit.engine.control;

import org.jspecify.annotations.Nullable;

/**
 * Where a rank on a simulator records what happens on its device.
 *
 * @param log the file of this rank
 * @param order the file that the ranks of the group share
 * @param capacity number of events that {@code log} has room for
 * @param timeline whether a timeline may be made of it, which also shows the phases of the rank
 * @param leftOut the step that this rank leaves out of each test, such as {@code edge:3}
 */
public record EventRecording(
        String log,
        String order,
        long capacity,
        boolean timeline,
        @Nullable String leftOut) {}
