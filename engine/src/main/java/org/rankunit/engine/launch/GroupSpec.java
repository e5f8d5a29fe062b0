package org.rankunit.engine.launch;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.SortedMap;

/**
 * What all groups of a run have in common.
 *
 * @param logs folder of the ranks' logs
 * @param commTimeout how long a wait in the communicator may take
 * @param debug the ranks that wait for a debugger, with the port they listen at, 0 for any free one
 * @param properties system properties of the ranks
 * @param parameters configuration parameters for Jupiter in the ranks
 */
public record GroupSpec(
        RankCommand command,
        SessionFolder session,
        Path logs,
        Path workingDirectory,
        long windowBytes,
        Duration bootstrapTimeout,
        Duration commTimeout,
        Duration testTimeout,
        SortedMap<Integer, Integer> debug,
        Map<String, String> properties,
        Map<String, String> parameters) {

    /** Long enough for any stop at a breakpoint, and short enough for every clock and counter it goes through. */
    private static final Duration NO_HURRY = Duration.ofDays(20);

    /** Whether some rank waits for a debugger: then no time-out holds. */
    boolean isDebugging() {
        return !debug.isEmpty();
    }

    /** How long something may take: what is said here, or while debugging as good as for ever. */
    Duration patience(Duration usual) {
        return isDebugging() ? NO_HURRY : usual;
    }
}
