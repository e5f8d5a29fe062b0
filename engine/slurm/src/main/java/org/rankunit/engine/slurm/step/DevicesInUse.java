package org.rankunit.engine.slurm.step;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.rankunit.engine.config.ConfigKey;
import org.rankunit.engine.config.SlurmSettings.DeviceIds;
import org.rankunit.engine.protocol.DeviceRef;

/**
 * Which rank has which device of the hardware. Steps are told different devices, or none at all: then each counts from 0, and two
 * steps on a node would share them without knowing. Thread-safe.
 */
final class DevicesInUse {

    /** Where a rank has the number of its device from if nothing tells it. */
    private static final String COUNTED = "counted";

    private final DeviceIds ids;
    private final Runnable stepsAreTold;
    private final Map<DeviceRef, StepRank> users = new HashMap<>();
    private boolean hasWarned;

    /** @param stepsAreTold called when a rank was told which device it has */
    DevicesInUse(DeviceIds ids, Runnable stepsAreTold) {
        this.ids = ids;
        this.stepsAreTold = stepsAreTold;
    }

    /**
     * A rank says that it has a device.
     *
     * @param source where it has the number from
     * @return why it cannot be, because another rank has it; empty if it can
     */
    synchronized Optional<String> claim(StepRank rank, DeviceRef device, String source) {
        if (ids == DeviceIds.COUNT) {
            // Each step has its own device 0.
            return Optional.empty();
        }
        if (!source.equals(COUNTED)) {
            stepsAreTold.run();
        } else if (!hasWarned) {
            hasWarned = true;
            System.out.println("rankunit: nothing tells the ranks on " + device.node() + " which devices they have, so"
                    + " they count from 0, and each node has one group at a time. If Slurm's indexes of the job are the"
                    + " numbers of the devices, set " + ConfigKey.SLURM_DEVICE_IDS.key()
                    + " = job; if a step sees only its own devices, count.");
        }
        StepRank other = users.putIfAbsent(device, rank);
        if (other == null || other == rank) {
            return Optional.empty();
        }
        return Optional.of("has " + device.describe() + " (" + source + "), which rank " + other.rank() + " in "
                + other.log().file() + " has, too");
    }

    synchronized void release(StepRank rank) {
        users.values().removeIf(rank::equals);
    }
}
