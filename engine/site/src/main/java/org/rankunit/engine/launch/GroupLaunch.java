package org.rankunit.engine.launch;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.rankunit.engine.config.Platform;
import org.rankunit.engine.protocol.DeviceRef;
import org.rankunit.engine.protocol.wire.ControlAddress;

/**
 * A group of ranks to start.
 *
 * @param number distinguishes the groups of a run
 * @param folder used by this group alone
 * @param control where the parent listens for the ranks
 * @param token proves that a rank belongs to this group; never passed on a command line, which all users can read
 * @param platform the platform of the devices
 * @param devices one for each rank, in the order of the ranks
 * @param debugPorts the ranks that wait for a debugger, with the port on which each listens; 0 for any free port
 * @param manualRanks the ranks that a person starts
 */
public record GroupLaunch(
        int number,
        Path folder,
        ControlAddress control,
        String token,
        Platform platform,
        List<DeviceRef> devices,
        Map<Integer, Integer> debugPorts,
        Set<Integer> manualRanks) {

    /** The file in a group's folder in which a rank notes which kernels run. */
    public static Path runningKernels(Path folder, int rank) {
        return folder.resolve("kernels-" + rank);
    }
}
