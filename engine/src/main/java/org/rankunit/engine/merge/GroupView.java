package org.rankunit.engine.merge;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.rankunit.engine.group.GroupPhases;
import org.rankunit.engine.launch.DeviceRef;

/**
 * What a merge needs to know of the group that runs the tests.
 *
 * @param freshOutput what each rank has printed since it was asked last
 */
public record GroupView(
        int number, List<DeviceRef> devices, List<Path> logs, GroupPhases phases, Supplier<List<String>> freshOutput) {

    /** The numbers of its devices on their nodes, by rank. */
    List<Integer> deviceIds() {
        return devices.stream().map(DeviceRef::id).toList();
    }
}
