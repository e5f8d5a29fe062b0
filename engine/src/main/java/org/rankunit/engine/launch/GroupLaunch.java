package org.rankunit.engine.launch;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A group of ranks that is to be started.
 *
 * @param number tells the groups of a run apart
 * @param folder belongs to this group alone
 * @param control where the parent listens for the ranks
 * @param token by which each rank proves that it is of this group; never passed on a command line, which all users can read
 * @param devices one for each rank, in the order of the ranks
 * @param debugPorts the ranks that wait for a debugger, with the port they listen at, 0 for any free one
 */
public record GroupLaunch(
        int number,
        Path folder,
        Path control,
        String token,
        List<DeviceRef> devices,
        Map<Integer, Integer> debugPorts) {}
