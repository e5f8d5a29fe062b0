package org.rankunit.cli.pool;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.rankunit.engine.config.Platform;
import org.rankunit.engine.config.PoolSetup;
import org.rankunit.pool.inventory.Inventory;
import org.rankunit.pool.machine.NpuDevice;

/**
 * The pool as the engine would set it up here, and the platform that the user selected. Immutable.
 *
 * @param only the selected platform; empty for all
 */
public record PoolAccess(PoolSetup setup, Optional<Platform> only) {

    /** Returns the selected platform; if none is selected, all that have devices, hardware before simulators. */
    public List<String> platforms() {
        if (only.isPresent()) {
            return List.of(only.get().id());
        }
        List<String> ids = new ArrayList<>();
        for (Platform platform : Platform.all()) {
            boolean onMachine = setup.machine().devices().stream()
                    .anyMatch(npu -> npu.platform().equals(platform.id()));
            if (onMachine || !lent(platform.id()).isEmpty()) {
                ids.add(platform.id());
            }
        }
        return ids;
    }

    /**
     * Returns the platform that plain device ids refer to: the selected one, else the first that has devices.
     *
     * @throws UsageException if that platform, or every platform, has none
     */
    public String platform() {
        for (String platform : platforms()) {
            if (!lent(platform).isEmpty()) {
                return platform;
            }
        }
        String why = only.flatMap(platform -> setup.machine().whyNone(platform.id(), setup.grant()))
                .filter(text -> only.filter(Platform::isSimulator).isEmpty())
                .map(text -> ": " + text)
                .orElse("");
        throw new UsageException("There is no device"
                + only.map(platform -> " of " + platform.id()).orElse("") + " available here" + why + ".");
    }

    /** Returns the ids of a platform's devices that the pool leases to this process. */
    public List<Integer> lent(String platform) {
        Map<String, Inventory> inventories = setup.config().inventories();
        Inventory inventory = inventories.get(platform);
        return inventory == null ? List.of() : inventory.devices();
    }

    /** Returns whether the devices of a platform are simulated. */
    public boolean isSimulated(String platform) {
        return setup.machine().devices().stream()
                .noneMatch(npu -> npu.platform().equals(platform));
    }

    /** Returns the number by which the platform's runtime knows a device. */
    public int runtimeId(String platform, int device) {
        return isSimulated(platform) ? device : setup.runtimeIds().getOrDefault(device, device);
    }

    /** Returns notes about the NPUs, if there are any or the user selected such a platform; otherwise nothing. */
    List<String> notes() {
        boolean relevant = only.filter(platform -> !platform.isSimulator()).isPresent()
                || !setup.machine().devices().isEmpty();
        return relevant ? allNotes() : List.of();
    }

    /** Returns notes about the NPUs, or why there are none. */
    public List<String> allNotes() {
        return Stream.of(setup.machine().notes(), setup.grant().notes())
                .flatMap(List::stream)
                .toList();
    }

    /** Returns why a device of this machine is not available to this process. */
    String whyLeftOut(NpuDevice npu) {
        return setup.grant().devices().contains(npu.id())
                ? "npu-smi says " + npu.healthText()
                : "outside " + setup.grant().source();
    }
}
