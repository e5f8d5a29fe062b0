package org.rankunit.engine.rank.parent;

import java.util.Map;
import org.rankunit.engine.protocol.RankPlace;

/**
 * What a task of a step of Slurm knows of itself.
 *
 * @param rank its number among all tasks of the step, and the rank of the first of them, which our launcher gives if a group has
 *     several steps
 * @param localRank its number among the tasks of its node
 * @param node Slurm's name for its node
 * @param step job and step: {@code 12.3}
 * @param deviceId the id of its device as Slurm or the vendor's variable gives it, for messages
 * @param runtimeDeviceId the id by which the vendor's runtime opens the device: the runtime numbers the devices of
 *     {@code ASCEND_RT_VISIBLE_DEVICES} from 0
 * @param source the variable that gives the device, or {@code counted} if none does
 */
public record SlurmTask(
        int rank, int localRank, String node, String step, int deviceId, int runtimeDeviceId, String source) {

    /** The rank of the first task of the step. */
    private static final String FIRST_RANK = "RANKUNIT_FIRST_RANK";

    /**
     * Reads the environment of this process. The device is found as {@link TaskDevice} describes.
     *
     * @throws IllegalArgumentException if the process is no task of Slurm, or a variable gives no device for it; the
     *     message has the variable and its value
     */
    public static SlurmTask of(Map<String, String> environment) {
        int localRank = number(environment, "SLURM_LOCALID");
        String node = value(environment, "SLURMD_NODENAME");
        TaskDevice device = TaskDevice.of(environment, node, localRank);
        return new SlurmTask(
                number(environment, "SLURM_PROCID")
                        + (environment.containsKey(FIRST_RANK) ? number(environment, FIRST_RANK) : 0),
                localRank,
                node,
                value(environment, "SLURM_JOB_ID") + "." + value(environment, "SLURM_STEP_ID"),
                device.id(),
                device.runtimeId(),
                device.source());
    }

    /** Where it runs, for the first message to the parent. */
    public RankPlace place(long pid) {
        return new RankPlace(node, localRank, deviceId, runtimeDeviceId, source, step, pid);
    }

    private static int number(Map<String, String> environment, String variable) {
        String value = value(environment, variable);
        try {
            return Integer.parseUnsignedInt(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(variable + " = \"" + value + "\": this is not a number", e);
        }
    }

    private static String value(Map<String, String> environment, String variable) {
        String value = environment.get(variable);
        if (value == null || value.isBlank()) {
            throw new IllegalArgumentException(
                    variable + " is not set, so this process is not a task of a step of Slurm.\nStart it with srun.");
        }
        return value;
    }
}
