package org.rankunit.engine.slurm;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.compile.KernelBuild;
import org.rankunit.engine.config.ConfigKey;
import org.rankunit.engine.config.ConfigurationException;
import org.rankunit.engine.config.PoolSetup;
import org.rankunit.engine.config.SessionTime;
import org.rankunit.engine.config.Settings;
import org.rankunit.engine.config.files.CacheFolder;
import org.rankunit.engine.launch.RankLauncher;
import org.rankunit.engine.launch.SessionFolder;
import org.rankunit.engine.launch.command.RankCommand;
import org.rankunit.engine.site.RankSite;
import org.rankunit.engine.site.Reservations;
import org.rankunit.engine.site.SiteException;
import org.rankunit.engine.slurm.files.FileRoots;
import org.rankunit.engine.slurm.files.NodeFiles;
import org.rankunit.engine.slurm.job.Allocation;
import org.rankunit.engine.slurm.job.NodeShare;
import org.rankunit.engine.slurm.lease.AllocationReservations;
import org.rankunit.engine.slurm.lease.AllocationTerms;
import org.rankunit.engine.slurm.step.StepLauncher;

/** The nodes of a Slurm job: its ranks are tasks of steps. Owns the job if the run has taken it. */
final class SlurmSite implements RankSite {

    private final Settings settings;
    private final Allocation allocation;
    private final AllocationReservations reservations;

    // Set when ranks can be started.
    private @Nullable SessionFolder folder;
    private @Nullable NodeFiles files;

    private SlurmSite(Settings settings, Allocation allocation, AllocationReservations reservations) {
        this.settings = settings;
        this.allocation = allocation;
        this.reservations = reservations;
    }

    static SlurmSite of(Settings settings, SessionTime session) {
        refuse(settings);
        Allocation allocation =
                Allocation.of(settings.slurm(), System.getenv(), text -> System.out.println("rankunit: " + text));
        boolean complete = false;
        try {
            AllocationReservations reservations = new AllocationReservations(
                    allocation,
                    AllocationTerms.of(
                            settings.slurm(),
                            settings.simulatorDevices(),
                            settings.platform(),
                            settings.commLibrary().isPresent()),
                    session,
                    settings.leaseTimeout());
            System.out.println("rankunit: runs in Slurm job " + allocation.job().id() + " on "
                    + allocation.job().nodes().stream().map(NodeShare::node).collect(Collectors.joining(", ")));
            reservations.advice().ifPresent(advice -> System.out.println("rankunit: " + advice));
            complete = true;
            return new SlurmSite(settings, allocation, reservations);
        } finally {
            if (!complete) {
                allocation.close();
            }
        }
    }

    /** What is about processes and devices of this machine. */
    private static void refuse(Settings settings) {
        if (!settings.manualRanks().isEmpty() || settings.devices().isPresent()) {
            ConfigKey key = settings.devices().isPresent() ? ConfigKey.DEVICES : ConfigKey.MANUAL_RANKS;
            throw new ConfigurationException(key.key() + " applies to this machine, but this run is in a Slurm job ("
                    + ConfigKey.LAUNCHER.key() + "). Leave it out, or set " + ConfigKey.LAUNCHER.key() + " = local.");
        }
        if (!settings.debug().isEmpty()) {
            throw new ConfigurationException(
                    ConfigKey.DEBUG.key() + " needs ranks on this machine, but this run is in a" + " Slurm job ("
                            + ConfigKey.LAUNCHER.key() + "). Set " + ConfigKey.LAUNCHER.key() + " = local.");
        }
    }

    @Override
    public Reservations reservations() {
        return reservations;
    }

    /** Each rank says the number of its device itself. */
    @Override
    public Map<Integer, Integer> runtimeIds() {
        return Map.of();
    }

    @Override
    public int processors() {
        return reservations.processors();
    }

    @Override
    public SessionFolder folder() {
        SessionFolder created = SessionFolder.createShared(settings.outputFolder(), ConfigKey.OUTPUT_DIR.key());
        folder = created;
        return created;
    }

    /** @throws SiteException if the nodes cannot be reached */
    @Override
    public RankLauncher launcher(RankCommand command, Path logs) {
        Path session =
                Objects.requireNonNull(folder, "the folder is made first").path();
        NodeFiles forNodes = new NodeFiles(
                command,
                settings.slurm(),
                allocation,
                session,
                Path.of("").toAbsolutePath(),
                new FileRoots(
                        List.of(Settings.project(), CacheFolder.of("goldens"), CacheFolder.of(KernelBuild.CACHE)),
                        List.of(session, settings.outputFolder())));
        files = forNodes;
        return new StepLauncher(
                forNodes,
                logs,
                PoolSetup.environment(settings.simulatorFaults()),
                allocation,
                settings.slurm(),
                reservations::stepsAreTold);
    }

    @Override
    public void close() {
        if (files != null) {
            files.close();
        }
        allocation.close();
    }
}
