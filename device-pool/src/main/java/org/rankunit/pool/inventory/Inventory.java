package org.rankunit.pool.inventory;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apiguardian.api.API;

/**
 * List the devices a pool may lease on one platform.
 *
 * <p>Immutable.
 *
 * @param platform name such as {@code a2a3sim}: at most 64 lower-case letters, digits, {@code -} and {@code _}; also
 *     used as a folder name
 * @param devices ids, each in [0, {@value DeviceList#MAX_ID}], in ascending order without duplicates; empty if the
 *     platform has none
 * @param topology how the devices are grouped; may name devices that are not in {@code devices}
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Inventory(String platform, List<Integer> devices, Topology topology) {

    private static final Pattern PLATFORM = Pattern.compile("[a-z0-9][a-z0-9_-]{0,63}");

    /** @throws IllegalArgumentException if a component is out of range; the message names the value */
    public Inventory {
        checkPlatform(platform);
        devices = List.copyOf(devices);
        for (int i = 0; i < devices.size(); i++) {
            int device = devices.get(i);
            if (device < 0 || device > DeviceList.MAX_ID) {
                throw new IllegalArgumentException("devices of " + platform + ": " + device
                        + " is not a device id; ids are in [0, " + DeviceList.MAX_ID + "].");
            }
            if (i > 0 && device <= devices.get(i - 1)) {
                throw new IllegalArgumentException("devices of " + platform + ": " + device + " follows "
                        + devices.get(i - 1) + "; ids must ascend without duplicates.");
            }
        }
    }

    /** List devices without a topology ({@link Topology#FLAT}). */
    public Inventory(String platform, List<Integer> devices) {
        this(platform, devices, Topology.FLAT);
    }

    /**
     * List {@code count} devices, numbered from 0.
     *
     * @throws IllegalArgumentException if the platform's name or the count is out of range
     */
    public static Inventory ofFirst(int count, String platform) {
        if (count < 0) {
            throw new IllegalArgumentException("devices of " + platform + ": count = " + count + " is negative.");
        }
        return new Inventory(platform, IntStream.range(0, count).boxed().toList());
    }

    /**
     * Return the reason why {@code count} of these devices can never be leased at once: there are too few, or the
     * topology does not allow it.
     *
     * @return one line with the numbers; empty if they can be leased
     */
    public Optional<String> whyNever(int count) {
        return new DeviceChoice(this).whyNever(count);
    }

    @API(status = API.Status.INTERNAL, since = "0.1")
    public static void checkPlatform(String platform) {
        if (!PLATFORM.matcher(platform).matches()) {
            throw new IllegalArgumentException("platform = \"" + platform
                    + "\": a platform's name has 1 to 64 lower-case letters, digits, - and _, such as a2a3sim.");
        }
    }
}
