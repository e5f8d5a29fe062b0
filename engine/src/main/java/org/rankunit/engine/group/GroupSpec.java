package org.rankunit.engine.group;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.rankunit.comm.ForeignLibrary;
import org.rankunit.engine.config.Platform;
import org.rankunit.engine.config.SessionTime;
import org.rankunit.engine.launch.SessionFolder;
import org.rankunit.engine.launch.local.RankCommand;

/**
 * What all groups of a run have in common.
 *
 * @param folder of this run
 * @param logs folder of the ranks' logs
 * @param simulatorFaults devices of the simulator that fail, as it reads them; empty for none
 * @param runtimeIds by which numbers the vendor's runtime knows the devices of the hardware
 * @param commLibrary somebody else's communication library, or empty for the platform's own
 * @param deviceTimeout how long a kernel may run
 * @param commTimeout how long a wait in the communicator may take
 * @param session how long all of them may take together
 * @param debug the ranks that wait for a debugger, with the port they listen at, 0 for any free one
 * @param properties system properties of the ranks
 * @param parameters configuration parameters for Jupiter in the ranks
 */
public record GroupSpec(
        RankCommand command,
        SessionFolder folder,
        Path logs,
        Path workingDirectory,
        String simulatorFaults,
        Map<Integer, Integer> runtimeIds,
        Optional<ForeignLibrary> commLibrary,
        long windowBytes,
        Duration bootstrapTimeout,
        Duration deviceTimeout,
        Duration commTimeout,
        Duration testTimeout,
        SessionTime session,
        SortedMap<Integer, Integer> debug,
        Map<String, String> properties,
        Map<String, String> parameters) {

    /** Long enough for any stop at a breakpoint, and short enough for every clock and counter it goes through. */
    private static final Duration NO_HURRY = Duration.ofDays(20);

    /** Whether some rank waits for a debugger: then no time-out holds. */
    public boolean isDebugging() {
        return !debug.isEmpty();
    }

    /** By which number a backend knows a device. */
    public int runtimeId(String platform, int device) {
        boolean simulated =
                Platform.named(platform).filter(Platform::isSimulator).isPresent();
        return simulated ? device : runtimeIds.getOrDefault(device, device);
    }

    /** How long something may take: what is said here, or while debugging as good as for ever. */
    public Duration patience(Duration usual) {
        return isDebugging() ? NO_HURRY : usual;
    }
}
