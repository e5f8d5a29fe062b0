package org.rankunit.engine.group;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import org.rankunit.comm.ForeignLibrary;
import org.rankunit.engine.compile.CompiledKernels;
import org.rankunit.engine.config.Platform;
import org.rankunit.engine.config.SimulatorSettings;
import org.rankunit.engine.launch.RankLauncher;
import org.rankunit.engine.launch.SessionFolder;
import org.rankunit.engine.lockstep.TimeLimits;

/**
 * What all groups of a run have in common.
 *
 * @param folder the folder of this run
 * @param jupiter the class of Jupiter's engine
 * @param runtimeIds maps device ids of the hardware to the ids used by the vendor's runtime
 * @param kernels the kernels that are compiled from source
 * @param commLibrary a third-party communication library, or empty for the platform's own
 * @param debug the ranks that wait for a debugger, with the port on which each listens; 0 for any free port
 * @param manualRanks the ranks that a person starts
 * @param manualRanksTimeout how long a group waits until they are started
 * @param properties system properties of the ranks
 * @param parameters configuration parameters for Jupiter in the ranks
 * @param records whether ranks on simulators record what happens on their devices
 * @param recordBytes the size of the record of each rank
 * @param timelines whether timelines may be made of what they record
 * @param copiesMemory whether they copy what the arguments of tasks point to
 * @param leftOut a step of the tests that is left out on purpose, or empty
 * @param skipsGoldens whether no output is compared with a golden
 */
public record GroupSpec(
        RankLauncher launcher,
        SessionFolder folder,
        String jupiter,
        Map<Integer, Integer> runtimeIds,
        CompiledKernels kernels,
        Optional<ForeignLibrary> commLibrary,
        long windowBytes,
        TimeLimits limits,
        SortedMap<Integer, Integer> debug,
        Set<Integer> manualRanks,
        Duration manualRanksTimeout,
        Map<String, String> properties,
        Map<String, String> parameters,
        boolean records,
        long recordBytes,
        boolean timelines,
        boolean copiesMemory,
        Optional<SimulatorSettings.Truncated> leftOut,
        boolean skipsGoldens) {

    /** Whether some rank waits for a debugger or is started by hand. If so, no time-out applies. */
    boolean isDebugging() {
        return limits.debugging();
    }

    /** The id that a backend uses for a device. */
    int runtimeId(String platform, int device) {
        return isSimulator(platform) ? device : runtimeIds.getOrDefault(device, device);
    }

    /** Whether the ranks of a group on this platform record what happens on their devices. */
    boolean records(String platform) {
        return records && isSimulator(platform);
    }

    private static boolean isSimulator(String platform) {
        return Platform.named(platform).filter(Platform::isSimulator).isPresent();
    }
}
