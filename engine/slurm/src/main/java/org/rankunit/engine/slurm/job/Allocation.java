package org.rankunit.engine.slurm.job;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.config.ConfigKey;
import org.rankunit.engine.config.SlurmSettings;
import org.rankunit.engine.site.SiteException;
import org.slf4j.LoggerFactory;

/**
 * The Slurm job whose nodes a run uses: the one inside which it runs, or one that it has taken for itself, which it releases at its
 * end. Thread-safe.
 */
public final class Allocation implements AutoCloseable {

    /** The variable by which a process knows that it runs inside a job. */
    public static final String JOB_ID = "SLURM_JOB_ID";

    private static final Duration GIVE_UP = Duration.ofSeconds(5);

    private final JobDetail job;

    /** What names the job alone: the id of the last task of an array is that of the whole array. */
    private final String name;

    private final SlurmCommands slurm;
    private final LostNodes lost = new LostNodes();
    private volatile boolean shrunk;

    /** {@code null} if the job is not ours. */
    private final @Nullable ReleaseGuard guard;

    private final @Nullable Thread atExit;

    private Allocation(String name, JobDetail job, SlurmCommands slurm, @Nullable ReleaseGuard guard) {
        this.name = name;
        this.job = job;
        this.slurm = slurm;
        this.guard = guard;
        this.atExit = guard == null ? null : new Thread(this::cancel, "rankunit-release-job");
    }

    /** Whether a run inside this environment uses Slurm. */
    public static boolean isWanted(SlurmSettings settings, Map<String, String> environment) {
        return switch (settings.launcher()) {
            case LOCAL -> false;
            case SLURM -> true;
            case AUTO ->
                settings.allocate().isPresent()
                        || (environment.containsKey(JOB_ID)
                                && !List.of("", "1").contains(environment.getOrDefault("SLURM_JOB_NUM_NODES", "")));
        };
    }

    /**
     * Use the job that these settings name: take one, or use the one inside which this process runs.
     *
     * @param news receives what the run waits for
     * @throws SiteException if there is none
     */
    public static Allocation of(SlurmSettings settings, Map<String, String> environment, Consumer<String> news) {
        SlurmCommands slurm = new SlurmCommands(environment);
        GresName gres = GresName.parse(settings.gres());
        if (settings.allocate().isPresent()) {
            return take(settings.allocate().get(), settings.allocateTimeout(), gres, slurm, news);
        }
        String id = environment.get(JOB_ID);
        if (id == null) {
            throw new SiteException(ConfigKey.LAUNCHER.key() + " = slurm, but this process is not inside a Slurm job ("
                    + JOB_ID + " is not set). Start it by salloc or sbatch, or set "
                    + ConfigKey.SLURM_ALLOCATE.key() + ".");
        }
        String array = environment.get("SLURM_ARRAY_JOB_ID");
        String task = environment.get("SLURM_ARRAY_TASK_ID");
        String name = array == null || task == null ? id : array + "_" + task;
        return new Allocation(name, read(name, gres, slurm), slurm, null);
    }

    private static Allocation take(
            List<String> arguments, Duration limit, GresName gres, SlurmCommands slurm, Consumer<String> news) {
        String name = Salloc.randomName();
        ReleaseGuard guard = ReleaseGuard.of(name, slurm);
        boolean complete = false;
        try {
            String id = Salloc.take(Salloc.command(name, arguments, gres), name, limit, slurm, news);
            Allocation allocation = new Allocation(id, read(id, gres, slurm), slurm, guard);
            allocation.releaseAtExit();
            complete = true;
            return allocation;
        } finally {
            if (!complete) {
                giveUp(name, slurm, guard);
            }
        }
    }

    /** Cancel whatever was asked for. If Slurm does not answer now, the guard goes on trying. */
    private static void giveUp(String name, SlurmCommands slurm, ReleaseGuard guard) {
        try {
            if (slurm.run(GIVE_UP, List.of("scancel", "--quiet", "--name=" + name))
                            .exit()
                    == 0) {
                guard.close();
                return;
            }
        } catch (SiteException e) {
            // What made the run give up is the reason that counts.
            LoggerFactory.getLogger(Allocation.class).debug("The request {} is left to its guard", name, e);
        }
        guard.tryLater();
    }

    private static JobDetail read(String id, GresName gres, SlurmCommands slurm) {
        try {
            return JobDetail.parse(slurm.ask("scontrol", "show", "job", "-d", id), gres);
        } catch (IllegalArgumentException e) {
            throw new SiteException(
                    "scontrol show job -d " + id + " printed something unexpected: " + e.getMessage(), e);
        }
    }

    /** What Slurm said of the job when the run began. */
    public JobDetail job() {
        return job;
    }

    public SlurmCommands slurm() {
        return slurm;
    }

    /** The nodes of the job on which nothing more is started. */
    public LostNodes lost() {
        return lost;
    }

    /** Whether the job is known to have lost nodes by Slurm's books; {@link #looksWhetherShrunk} finds out. */
    public boolean hasShrunk() {
        return shrunk;
    }

    /**
     * Find out whether Slurm has taken nodes from the job, as it does if they fail. Steps that ran then may never give their
     * processors back, and new ones wait for these in vain.
     */
    public boolean looksWhetherShrunk() {
        try {
            String nodes = slurm.ask("squeue", "--noheader", "--jobs=" + name, "--format=%D")
                    .strip();
            shrunk |= nodes.matches("\\d+")
                    && Integer.parseInt(nodes) < job.nodes().size();
        } catch (SiteException e) {
            LoggerFactory.getLogger(Allocation.class).debug("Slurm does not list the nodes of the job", e);
        }
        return shrunk;
    }

    /** Why the job has ended, as Slurm says it now; empty if it still runs, or if Slurm does not answer. */
    public Optional<String> whyEnded() {
        try {
            String state = slurm.ask("squeue", "--noheader", "--states=all", "--jobs=" + name, "--format=%T (%r)")
                    .strip();
            if (state.isEmpty() || state.startsWith("RUNNING")) {
                return Optional.empty();
            }
            return Optional.of("Slurm job " + job.id()
                    + (state.startsWith("COMPLETING") ? " is ending" : " has ended: " + state.replace(" (None)", "")));
        } catch (SiteException e) {
            LoggerFactory.getLogger(Allocation.class).debug("The state of job {} is not known", job.id(), e);
            return Optional.empty();
        }
    }

    private void releaseAtExit() {
        if (atExit != null) {
            Runtime.getRuntime().addShutdownHook(atExit);
        }
    }

    private boolean cancel() {
        try {
            slurm.ask("scancel", "--quiet", job.id());
            return true;
        } catch (SiteException e) {
            System.out.println("rankunit: Slurm job " + job.id() + " could not be released: " + e.getMessage());
            return false;
        }
    }

    /** Release the job if this run has taken it. */
    @Override
    public void close() {
        if (guard == null) {
            return;
        }
        try {
            if (atExit != null) {
                Runtime.getRuntime().removeShutdownHook(atExit);
            }
        } catch (IllegalStateException e) {
            LoggerFactory.getLogger(Allocation.class).debug("This JVM is shutting down and releases the job itself", e);
            return;
        }
        if (cancel()) {
            guard.close();
        } else {
            guard.tryLater();
        }
    }
}
