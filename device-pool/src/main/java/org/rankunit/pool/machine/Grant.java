package org.rankunit.pool.machine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;
import org.rankunit.pool.inventory.DeviceList;

/**
 * Describe which devices of a machine this process may use, and what granted them.
 *
 * <p>If the machine has devices, the first of these that is present in the environment grants them:
 *
 * <ol>
 *   <li>{@code ASCEND_RT_VISIBLE_DEVICES}: places, counted from 0 among the devices this process can see; read as the
 *       runtime reads it, up to the first part that is not such a place or is not in ascending order. If empty, it
 *       grants none.
 *   <li>{@code ASCEND_VISIBLE_DEVICES} of the container runtime: ids, as {@code 0}, {@code 1,3}, {@code 0-3,5} or
 *       {@code Ascend910-0}; {@code void} grants none.
 *   <li>A Slurm job: {@code SLURM_STEP_NPUS}, {@code SLURM_JOB_NPUS}, {@code SLURM_STEP_GPUS} or
 *       {@code SLURM_JOB_GPUS}. Slurm counts from 0 in the order of its gres, and again from 0 in a job that is
 *       confined by cgroups. So if the list has as many numbers as there are devices that this process may open, all of
 *       these are granted, whatever the numbers are; otherwise the numbers are taken as places.
 *       {@code SLURM_NPUS_ON_NODE} is only a count: it grants all devices if this process may open no more than that
 *       many, and otherwise none, since ids are not guessed. A job without usable variables grants the devices that
 *       this process may open.
 *   <li>None of these: all devices.
 * </ol>
 *
 * <p>Immutable.
 *
 * @param source what granted the devices, for people, such as {@code rankunit.devices = "4-7"}, or {@value #ALL}
 * @param devices ids of devices on the machine, in ascending order
 * @param explicit whether a person listed each of them with the key
 * @param notes messages for people, each a sentence without a full stop
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Grant(String source, List<Integer> devices, boolean explicit, List<String> notes) {

    /** The configuration key for a slice of the machine. */
    public static final String KEY = "rankunit.devices";

    /** The source if nothing restricts the devices. */
    public static final String ALL = "all devices";

    /** Copies the lists. */
    public Grant {
        devices = List.copyOf(devices);
        notes = List.copyOf(notes);
    }

    /**
     * Return what {@code environment} grants. Any errors in it are tolerated: unreadable parts are left out, with a
     * note.
     */
    public static Grant of(Machine machine, Map<String, String> environment) {
        return EnvironmentGrant.of(machine, environment);
    }

    /**
     * Return the slice that a person configured.
     *
     * @param slice ids and ranges, such as {@code 0,2-4,7}
     * @throws IllegalArgumentException if the slice cannot be read, names a device that the machine does not have, or
     *     one that {@code environment} does not grant; the message names the key, the value and the allowed devices
     */
    public static Grant of(Machine machine, Map<String, String> environment, String slice) {
        Grant granted = of(machine, environment);
        String source = quoted(KEY, slice);
        List<Integer> asked;
        try {
            asked = DeviceList.parse(slice);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(KEY + " = " + e.getMessage(), e);
        }
        List<Integer> all = machine.ids();
        check(source, asked, all, "not on this machine (it has " + DeviceList.format(all) + ")." + advice(all));
        check(
                source,
                asked,
                granted.devices,
                "not granted to this process by " + granted.source + " (it grants " + DeviceList.format(granted.devices)
                        + ")." + advice(granted.devices));
        return new Grant(source, asked, true, granted.notes);
    }

    private static String advice(List<Integer> there) {
        return there.isEmpty()
                ? "\nLeave the key out here."
                : "\nGive a slice of " + DeviceList.format(there) + ", or leave the key out to use all of them.";
    }

    private static void check(String source, List<Integer> asked, List<Integer> there, String otherwise) {
        List<Integer> missing = new ArrayList<>(asked);
        missing.removeAll(there);
        if (!missing.isEmpty()) {
            throw new IllegalArgumentException(source + ": " + are(missing) + " " + otherwise);
        }
    }

    static String are(List<Integer> ids) {
        return switch (ids.size()) {
            case 1 -> "device " + ids.get(0) + " is";
            case 2 -> "devices " + ids.get(0) + " and " + ids.get(1) + " are";
            default -> "devices " + DeviceList.format(ids) + " are";
        };
    }

    static String quoted(String name, String value) {
        return name + " = \"" + value + "\"";
    }
}
