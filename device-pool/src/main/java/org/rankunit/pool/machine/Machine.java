package org.rankunit.pool.machine;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.pool.inventory.DeviceList;
import org.rankunit.pool.inventory.Inventory;
import org.rankunit.pool.inventory.Topology;

/**
 * Hold what devices this machine has, as far as this process can see them.
 *
 * <pre>{@code
 * Machine machine = Machine.detect();
 * Grant grant = Grant.of(machine, System.getenv());
 * Inventory inventory = machine.inventory("a2a3", grant);
 * }</pre>
 *
 * <p>No device is touched to find out. Immutable.
 *
 * @param devices those of a known platform that this process may open, by ascending id
 * @param topologies how those of each platform are put together
 * @param source what tells of the devices, for people: {@code npu-smi} or {@code /dev/davinci*}
 * @param notes what people should know, each a sentence without a full stop, such as
 *     {@code npu-smi is not on the path}
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Machine(List<NpuDevice> devices, Map<String, Topology> topologies, String source, List<String> notes) {

    /** Sorts the devices. */
    public Machine {
        devices =
                devices.stream().sorted(Comparator.comparingInt(NpuDevice::id)).toList();
        topologies = Map.copyOf(topologies);
        notes = List.copyOf(notes);
    }

    /** Environment variable: a folder to look in as if it were the root of this machine, to try things without devices. */
    public static final String ROOT = "RANKUNIT_MACHINE_ROOT";

    /** Look at the machine this process is on. Where it has devices, this calls {@code npu-smi} up to three times. */
    public static Machine detect() {
        Path root = Path.of(System.getenv().getOrDefault(ROOT, "/"));
        return detect(root, NpuSmi.find(root, System.getenv(), NpuSmi.PATIENCE));
    }

    /**
     * Look at another machine than this one, such as a test's.
     *
     * @param root folder in which {@code dev} lies
     * @param npuSmi asked only where there are devices that this process may open
     */
    public static Machine detect(Path root, NpuSmi npuSmi) {
        return Detection.run(DeviceNodes.below(root), npuSmi);
    }

    /** Ids of all devices, of whatever platform. */
    public List<Integer> ids() {
        return devices.stream().map(NpuDevice::id).toList();
    }

    /**
     * Tell by which numbers the vendor's runtime knows devices in a process with {@code environment}: from 0 on, their
     * places among those that {@code ASCEND_RT_VISIBLE_DEVICES} names, and without it among all that the process can see.
     *
     * @return the number of each device's id; a device that the runtime would not see is not there
     */
    public Map<Integer, Integer> runtimeIds(Map<String, String> environment) {
        return EnvironmentGrant.runtimeIds(this, environment);
    }

    /**
     * List what may be leased of one platform: the granted devices, without those in health Alarm or Critical unless the
     * grant names each by its id on purpose.
     *
     * @return empty where nothing is left; {@link #whyNone} says why
     */
    public Inventory inventory(String platform, Grant grant) {
        List<Integer> granted = devices.stream()
                .filter(device -> device.platform().equals(platform))
                .filter(device -> grant.devices().contains(device.id()))
                .filter(device -> grant.explicit() || device.health().fit())
                .map(NpuDevice::id)
                .toList();
        return new Inventory(platform, granted, topologies.getOrDefault(platform, Topology.FLAT));
    }

    /**
     * Say why there is no device of {@code platform} to lease.
     *
     * @return a sentence without a full stop; empty where there is one
     */
    public Optional<String> whyNone(String platform, Grant grant) {
        if (!inventory(platform, grant).devices().isEmpty()) {
            return Optional.empty();
        }
        List<NpuDevice> present = devices.stream()
                .filter(device -> device.platform().equals(platform))
                .toList();
        List<String> reasons = new ArrayList<>();
        if (present.isEmpty()) {
            reasons.add("this machine has no device of " + platform);
        } else {
            List<Integer> ids = present.stream().map(NpuDevice::id).toList();
            reasons.add("this machine has devices " + DeviceList.format(ids) + " of " + platform + ", of which "
                    + grant.source() + " leaves none that is fit");
            reasons.addAll(grant.notes());
        }
        reasons.addAll(notes);
        return Optional.of(String.join("; ", reasons));
    }
}
