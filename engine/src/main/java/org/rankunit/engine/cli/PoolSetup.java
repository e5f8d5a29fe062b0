package org.rankunit.engine.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.rankunit.engine.config.Platform;
import org.rankunit.pool.Inventory;
import org.rankunit.pool.PoolConfig;
import org.rankunit.pool.ProbeCommand;
import org.rankunit.pool.machine.Grant;
import org.rankunit.pool.machine.Machine;

/** Stands in for the engine's own until that is there. */
record PoolSetup(PoolConfig config, Machine machine, Grant grant, List<String> notes) {

    static PoolSetup of(
            Optional<Path> poolFolder,
            Optional<String> devices,
            int simulatorDevices,
            Optional<Platform> platform,
            Map<String, String> environment) {
        Machine machine = Machine.detect();
        Grant grant = devices.map(slice -> Grant.of(machine, environment, slice))
                .orElseGet(() -> Grant.of(machine, environment));
        PoolConfig config = PoolConfig.defaults();
        for (Platform each : Platform.all()) {
            config = config.with(
                    each.isSimulator()
                            ? Inventory.ofFirst(simulatorDevices, each.id())
                            : machine.inventory(each.id(), grant));
        }
        List<String> notes = new ArrayList<>(machine.notes());
        notes.addAll(grant.notes());
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        config = config.probing(new ProbeCommand(
                List.of(java, "-cp", System.getProperty("java.class.path"), "org.rankunit.device.DeviceProbe"),
                Duration.ofSeconds(60)));
        return new PoolSetup(poolFolder.map(config::in).orElse(config), machine, grant, notes);
    }
}
