package org.rankunit.engine.timeline.trace;

import java.nio.file.Path;
import java.util.List;

/**
 * A timeline that was written.
 *
 * @param busy for how much of the test each core and stream was busy, by rank
 */
public record TestTimeline(Path file, List<LaneUse> busy) {

    public TestTimeline {
        busy = List.copyOf(busy);
    }
}
