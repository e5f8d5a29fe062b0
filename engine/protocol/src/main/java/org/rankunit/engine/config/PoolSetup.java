package org.rankunit.engine.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.rankunit.device.DeviceProbe;
import org.rankunit.pool.PoolConfig;
import org.rankunit.pool.health.ProbeCommand;
import org.rankunit.pool.inventory.DeviceList;
import org.rankunit.pool.inventory.Inventory;
import org.rankunit.pool.machine.Grant;
import org.rankunit.pool.machine.Machine;

/**
 * The pool settings of this process: where the pool is, which devices of this machine it may lease, and how a suspect device is probed.
 *
 * @param machine the hardware of this machine
 * @param runtimeIds the numbers that the vendor's runtime uses for the devices
 * @param grant the devices that this process may use
 * @param slice the setting that restricts the devices, for messages; empty if none does
 */
public record PoolSetup(
        PoolConfig config, Machine machine, Map<Integer, Integer> runtimeIds, Grant grant, Optional<String> slice) {

    /** The simulator's environment variable; see {@code DEVICE_SIM_FAULTS} in {@code device.h}. */
    public static final String SIMULATOR_FAULTS = "RANKUNIT_SIM_FAULTS";

    /** On hardware it takes seconds to set a device; a device that hangs uses up this whole limit. */
    private static final Duration PROBE_LIMIT = Duration.ofSeconds(30);

    /**
     * Detect the devices of this machine.
     *
     * @param folder folder of the pool; empty for the default
     * @param slice devices that may be used: of the hardware, or of the simulators if there is none or {@code platform} is one
     * @param platform the only platform to use; empty for any
     * @param simulatorFaults in the format that the simulator reads
     * @throws ConfigurationException if the slice names a device that does not exist
     */
    public static PoolSetup of(
            Optional<Path> folder,
            Optional<String> slice,
            int simulatorDevices,
            Optional<Platform> platform,
            String simulatorFaults,
            Map<String, String> environment) {
        return of(Machine.detect(), folder, slice, simulatorDevices, platform, simulatorFaults, environment);
    }

    /** The same for a machine that is known already. */
    public static PoolSetup of(
            Machine machine,
            Optional<Path> folder,
            Optional<String> slice,
            int simulatorDevices,
            Optional<Platform> platform,
            String simulatorFaults,
            Map<String, String> environment) {
        boolean ofSimulator = machine.devices().isEmpty()
                || platform.filter(Platform::isSimulator).isPresent();
        Map<Integer, Integer> runtimeIds = machine.runtimeIds(environment);
        PoolConfig config = PoolConfig.defaults().probing(probe(simulatorFaults, runtimeIds));
        for (Platform each : Platform.all()) {
            if (each.isSimulator()) {
                config = config.with(simulated(each, simulatorDevices, slice.filter(given -> ofSimulator)));
            }
        }
        Grant grant = granted(machine, environment, slice.filter(given -> !ofSimulator));
        for (Platform each : Platform.all()) {
            if (!each.isSimulator()) {
                config = config.with(machine.inventory(each.id(), grant));
            }
        }
        Optional<String> restriction = slice.map(given -> ConfigKey.DEVICES.key() + " = \"" + given + "\"")
                .or(() -> Optional.of(grant.source()).filter(source -> !source.equals(Grant.ALL)));
        return new PoolSetup(folder.map(config::in).orElse(config), machine, runtimeIds, grant, restriction);
    }

    /** The environment of a process whose simulators have these faults. */
    public static Map<String, String> environment(String simulatorFaults) {
        return simulatorFaults.isEmpty() ? Map.of() : Map.of(SIMULATOR_FAULTS, simulatorFaults);
    }

    private static Grant granted(Machine machine, Map<String, String> environment, Optional<String> slice) {
        try {
            return slice.isPresent() ? Grant.of(machine, environment, slice.get()) : Grant.of(machine, environment);
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(String.valueOf(e.getMessage()));
        }
    }

    private static Inventory simulated(Platform platform, int devices, Optional<String> slice) {
        if (slice.isEmpty()) {
            return Inventory.ofFirst(devices, platform.id());
        }
        List<Integer> wanted;
        try {
            wanted = DeviceList.parse(slice.get());
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(ConfigKey.DEVICES.key() + " = " + e.getMessage());
        }
        List<Integer> missing =
                wanted.stream().filter(device -> device >= devices).toList();
        if (!missing.isEmpty()) {
            throw ConfigurationException.of(
                    ConfigKey.DEVICES,
                    slice.get(),
                    "the simulator has no device " + DeviceList.format(missing) + ", it has "
                            + (devices == 0 ? "none" : "0-" + (devices - 1)) + ".\nGive a slice of these, or set "
                            + ConfigKey.SIM_DEVICES.key() + ".");
        }
        return new Inventory(platform.id(), wanted);
    }

    private static ProbeCommand probe(String simulatorFaults, Map<Integer, Integer> runtimeIds) {
        String ids = runtimeIds.entrySet().stream()
                .map(each -> each.getKey() + ":" + each.getValue())
                .collect(Collectors.joining(","));
        return new ProbeCommand(
                SmallJvm.command(DeviceProbe.class, "-D" + DeviceProbe.RUNTIME_IDS + "=" + ids),
                environment(simulatorFaults),
                PROBE_LIMIT);
    }
}
