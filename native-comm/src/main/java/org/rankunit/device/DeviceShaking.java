package org.rankunit.device;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.nio.file.Path;
import org.apiguardian.api.API;
import org.rankunit.comm.jna.DeviceFunctions;

/**
 * Shakes the schedule of a simulated device, and with it that of its whole process.
 *
 * @param decisions how many were made
 * @param hash the same for two runs that did the same with the same seed
 * @since 0.1
 */
@API(status = INTERNAL, since = "0.1")
public record DeviceShaking(long decisions, long hash) {

    /** {@code DeviceShake} of {@code device.h}. */
    public static final int RANDOM = 1;

    public static final int PCT = 2;

    public static final int DELAY = 3;

    /**
     * Decides the order between ranks, too, from the next {@link #begin} on. Each rank calls this once, and then begins equally often.
     *
     * @param file the same for all ranks, which are on this machine
     * @throws DeviceException if this backend cannot be shaken, or the file cannot be used
     */
    public static void group(Device device, Path file, int rank, int ranks) {
        String path = file.toAbsolutePath().toString();
        device.call("shake", h -> DeviceFunctions.device_shake_group(h, path, rank, ranks));
    }

    /**
     * Begins anew.
     *
     * @param strategy one of the constants
     * @param seed another one for each rank of a group
     * @throws DeviceException if this backend cannot be shaken
     */
    public static void begin(Device device, int strategy, long seed) {
        device.call("shake", h -> DeviceFunctions.device_shake(h, strategy, seed));
    }

    /**
     * Ends it.
     *
     * @param file gets all decisions, one a line
     * @throws DeviceException if nothing is shaken, or the file cannot be written
     */
    public static DeviceShaking end(Device device, Path file) {
        long[] decisions = new long[1];
        long[] hash = new long[1];
        String path = file.toAbsolutePath().toString();
        device.call("result of shaking", h -> DeviceFunctions.device_shake_result(h, path, decisions, hash));
        return new DeviceShaking(decisions[0], hash[0]);
    }
}
