package org.rankunit.engine.merge;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.rankunit.engine.group.GroupPhases;
import org.rankunit.engine.launch.DeviceRef;

/**
 * What a merge needs to know about the group that runs the tests.
 *
 * @param freshOutput what each rank has printed since the last call
 */
public record GroupView(
        int number, List<DeviceRef> devices, List<Path> logs, GroupPhases phases, Supplier<List<String>> freshOutput) {

    /** The device number of each rank on its node. */
    List<Integer> deviceIds() {
        return devices.stream().map(DeviceRef::id).toList();
    }
}
