package org.rankunit.cli;

import java.util.Map;
import java.util.Optional;
import org.rankunit.cli.pool.PoolAccess;
import org.rankunit.engine.config.ConfigKey;
import org.rankunit.engine.config.PoolSetup;
import org.rankunit.engine.config.Settings;
import picocli.CommandLine.Option;

/** The options that select the pool. Each overrides the configuration key of the same name. Filled by picocli. */
final class PoolOptions {

    static final String STACK_TRACE = "--stacktrace";

    @Option(
            names = "--platform",
            paramLabel = "P",
            description = "Use only this platform: a2a3, a5, a2a3sim or a5sim (rankunit.platform).")
    private Optional<String> platform = Optional.empty();

    @Option(names = "--pool-dir", paramLabel = "DIR", description = "Folder of the pool (rankunit.pool-dir).")
    private Optional<String> poolDir = Optional.empty();

    @Option(
            names = "--devices",
            paramLabel = "SLICE",
            description = "Devices that may be leased, such as 4-7: of the hardware, or of the simulators if there is"
                    + " no hardware or --platform names a simulator (rankunit.devices).")
    private Optional<String> devices = Optional.empty();

    @Option(
            names = "--simulator-devices",
            paramLabel = "N",
            description = "Virtual devices of each simulator (rankunit.sim.devices).")
    private Optional<String> simulatorDevices = Optional.empty();

    @Option(names = STACK_TRACE, description = "Print the stack trace of an error.")
    boolean stackTrace;

    /**
     * Sets up the pool as the engine does with the same keys.
     *
     * @throws org.rankunit.engine.config.ConfigurationException if a key is invalid, or the slice of devices is not
     * available
     */
    PoolAccess access() {
        Map<String, Optional<String>> given = Map.of(
                ConfigKey.PLATFORM.key(), platform,
                ConfigKey.POOL_DIR.key(), poolDir,
                ConfigKey.DEVICES.key(), devices,
                ConfigKey.SIM_DEVICES.key(), simulatorDevices);
        Settings settings = Settings.read(
                key -> given.getOrDefault(key, Optional.empty()).or(() -> Optional.ofNullable(System.getProperty(key))),
                System.getProperties().stringPropertyNames());
        PoolSetup setup = PoolSetup.of(
                settings.poolFolder(),
                settings.devices(),
                settings.simulatorDevices(),
                settings.platform(),
                settings.simulatorFaults(),
                System.getenv());
        return new PoolAccess(setup, settings.platform());
    }
}
