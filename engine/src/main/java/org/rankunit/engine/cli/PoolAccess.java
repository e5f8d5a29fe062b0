package org.rankunit.engine.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.rankunit.engine.config.Platform;
import org.rankunit.engine.schedule.PoolSetup;
import org.rankunit.pool.Inventory;
import org.rankunit.pool.machine.NpuDevice;

/**
 * The pool as the engine would set it up here, and the platform a person asks about. Immutable.
 *
 * @param only the platform asked about; empty for all
 */
record PoolAccess(PoolSetup setup, Optional<Platform> only) {

    /** The platforms asked about, hardware before simulators; without any asked about, those that have devices. */
    List<String> platforms() {
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
     * The platform whose devices a person means by their ids alone: the one asked about, else the first that has devices.
     *
     * @throws UsageException if that platform, or every platform, has none
     */
    String platform() {
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
                + only.map(platform -> " of " + platform.id()).orElse("") + " to be lent here" + why + ".");
    }

    /** Ids of the devices that the pool lends of a platform. */
    List<Integer> lent(String platform) {
        Map<String, Inventory> inventories = setup.config().inventories();
        Inventory inventory = inventories.get(platform);
        return inventory == null ? List.of() : inventory.devices();
    }

    /** What people should know about the NPUs, where there are any or they asked about them; else nobody wants to read it. */
    List<String> notes() {
        boolean meant = only.filter(platform -> !platform.isSimulator()).isPresent()
                || !setup.machine().devices().isEmpty();
        return meant ? allNotes() : List.of();
    }

    /** What people should know about the NPUs, or why there are none. */
    List<String> allNotes() {
        return Stream.of(setup.machine().notes(), setup.grant().notes())
                .flatMap(List::stream)
                .toList();
    }

    /** Why a device of this machine is not lent to this process. */
    String whyLeftOut(NpuDevice npu) {
        return setup.grant().devices().contains(npu.id())
                ? "npu-smi says " + npu.healthText()
                : "outside " + setup.grant().source();
    }
}
