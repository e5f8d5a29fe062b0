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
 * Describe the devices of this machine, as far as this process can see them.
 *
 * <pre>{@code
 * Machine machine = Machine.detect();
 * Grant grant = Grant.of(machine, System.getenv());
 * Inventory inventory = machine.inventory("a2a3", grant);
 * }</pre>
 *
 * <p>Detection does not touch any device. Immutable.
 *
 * @param devices the devices of a known platform that this process may open, in ascending order of ids
 * @param topologies how the devices of each platform are grouped
 * @param source where the information comes from, for people: {@code npu-smi} or {@code /dev/davinci*}
 * @param notes messages for people, each a sentence without a full stop, such as {@code npu-smi is not on the path}
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

    /** Environment variable: a folder to use as if it were the root of this machine, for trials without devices. */
    public static final String ROOT = "RANKUNIT_MACHINE_ROOT";

    /** Detect the devices of this machine. If it has any, this calls {@code npu-smi} up to three times. */
    public static Machine detect() {
        Path root = Path.of(System.getenv().getOrDefault(ROOT, "/"));
        return detect(root, NpuSmi.find(root, System.getenv(), NpuSmi.PATIENCE));
    }

    /**
     * Detect the devices of another machine, such as a simulated one in a test.
     *
     * @param root folder that contains {@code dev}
     * @param npuSmi called only if there are devices that this process may open
     */
    public static Machine detect(Path root, NpuSmi npuSmi) {
        return Detection.run(DeviceNodes.below(root), npuSmi);
    }

    /** Ids of the devices of all platforms. */
    public List<Integer> ids() {
        return devices.stream().map(NpuDevice::id).toList();
    }

    /**
     * Return the numbers that the vendor's runtime uses for devices in a process with {@code environment}: counted from
     * 0, their places among the devices that {@code ASCEND_RT_VISIBLE_DEVICES} lists or, without it, among all devices
     * that the process can see.
     *
     * @return the runtime's number by device id, without devices that the runtime would not see
     */
    public Map<Integer, Integer> runtimeIds(Map<String, String> environment) {
        return EnvironmentGrant.runtimeIds(this, environment);
    }

    /**
     * List the devices of one platform that may be leased: the granted devices, without those in health Alarm or
     * Critical unless the grant is explicit.
     *
     * @return the inventory; it may be empty, and {@link #whyNone} then gives the reason
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
     * Return the reason why there is no device of {@code platform} to lease.
     *
     * @return a sentence without a full stop; empty if there is a device
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
                    + grant.source() + " leaves none that fits");
            reasons.addAll(grant.notes());
        }
        reasons.addAll(notes);
        return Optional.of(String.join("; ", reasons));
    }
}
