package org.rankunit.pool.machine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;
import org.rankunit.pool.inventory.DeviceList;

/**
 * Say which devices of a machine this process may use, and what says so.
 *
 * <p>The environment grants devices by the first of these that is there, where the machine has any:
 *
 * <ol>
 *   <li>{@code ASCEND_RT_VISIBLE_DEVICES}: places, counted from 0 among the devices this process can see; read as the
 *       runtime reads it, up to the first part that is no such place or does not ascend. Empty, it grants none.
 *   <li>{@code ASCEND_VISIBLE_DEVICES} of the container runtime: ids, as {@code 0}, {@code 1,3}, {@code 0-3,5} or
 *       {@code Ascend910-0}; {@code void} grants none.
 *   <li>A Slurm job: {@code SLURM_STEP_NPUS}, {@code SLURM_JOB_NPUS}, {@code SLURM_STEP_GPUS} or {@code SLURM_JOB_GPUS}. Slurm
 *       counts from 0 in the order of its gres, and from 0 anew in a job that is confined by cgroups. So where the list is
 *       as long as there are devices that this process may open, all of them are granted, whatever numbers it gives; else
 *       its numbers are taken as places. {@code SLURM_NPUS_ON_NODE} is a number of devices only: it grants all where this
 *       process may open no more than that, and otherwise none, since no id is guessed. A job whose variables tell nothing
 *       grants what this process may open.
 *   <li>Nothing of these: all devices.
 * </ol>
 *
 * <p>Immutable.
 *
 * @param source what says so, for people, such as {@code rankunit.devices = "4-7"}, or {@value #ALL}
 * @param devices ids, ascending, each on the machine
 * @param explicit whether a person named each of them by the key
 * @param notes what people should know, each a sentence without a full stop
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Grant(String source, List<Integer> devices, boolean explicit, List<String> notes) {

    /** The key by which a person gives a slice of the machine. */
    public static final String KEY = "rankunit.devices";

    /** The source where nothing restricts the devices. */
    public static final String ALL = "all devices";

    /** Copies the lists. */
    public Grant {
        devices = List.copyOf(devices);
        notes = List.copyOf(notes);
    }

    /** Take what {@code environment} grants. It may be wrong in any way: what cannot be read is left out, with a note. */
    public static Grant of(Machine machine, Map<String, String> environment) {
        return EnvironmentGrant.of(machine, environment);
    }

    /**
     * Take the slice that a person gave.
     *
     * @param slice ids and ranges, such as {@code 0,2-4,7}
     * @throws IllegalArgumentException if the slice cannot be read, names a device that the machine does not have, or one
     *     outside what {@code environment} grants; the text names the key, the value and what may be given
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
