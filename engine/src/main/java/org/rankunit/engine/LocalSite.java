package org.rankunit.engine;

import java.nio.file.Path;
import java.util.Map;
import org.rankunit.engine.config.PoolSetup;
import org.rankunit.engine.config.SessionTime;
import org.rankunit.engine.config.Settings;
import org.rankunit.engine.launch.RankLauncher;
import org.rankunit.engine.launch.SessionFolder;
import org.rankunit.engine.launch.command.RankCommand;
import org.rankunit.engine.launch.local.LocalLauncher;
import org.rankunit.engine.schedule.PoolReservations;
import org.rankunit.engine.site.RankSite;

/**
 * This machine: its devices come from the pool that all its processes share, and its ranks are processes.
 *
 * @param simulatorFaults in the format that the simulator reads
 */
record LocalSite(PoolReservations reservations, String simulatorFaults) implements RankSite {

    static LocalSite of(Settings settings, SessionTime session) {
        PoolSetup pool = PoolSetup.of(
                settings.poolFolder(),
                settings.devices(),
                settings.simulatorDevices(),
                settings.platform(),
                settings.simulatorFaults(),
                System.getenv());
        return new LocalSite(new PoolReservations(pool, settings, session), settings.simulatorFaults());
    }

    @Override
    public Map<Integer, Integer> runtimeIds() {
        return reservations.runtimeIds();
    }

    @Override
    public int processors() {
        return Runtime.getRuntime().availableProcessors();
    }

    @Override
    public SessionFolder folder() {
        return SessionFolder.create();
    }

    @Override
    public RankLauncher launcher(RankCommand command, Path logs) {
        return new LocalLauncher(command, logs, Path.of("").toAbsolutePath(), PoolSetup.environment(simulatorFaults));
    }

    /** The pool's devices are given back with the groups that have them. */
    @Override
    public void close() {}
}
