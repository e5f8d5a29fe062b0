package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.rankunit.engine.slurm.MiniSlurm;

/** A run of the engine on a cluster, as a process of its own, with emulated devices on the cluster's nodes. */
final class SlurmRun {

    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);

    private final MiniSlurm slurm;
    private final Path folder;
    private final ParentRun run;

    private SlurmRun(MiniSlurm slurm, Path folder, ParentRun run) {
        this.slurm = slurm;
        this.folder = folder;
        this.run = run;
    }

    /** What is to be run in a job that the run takes for itself, with these arguments of {@code salloc}. */
    static ParentRun.Order order(MiniSlurm slurm, Path folder, String allocate) {
        return inAnyJob(slurm, folder).parameter("rankunit.slurm.allocate", allocate);
    }

    /** What is to be run inside a job. */
    static ParentRun.Order inJob(MiniSlurm slurm, Path folder, String job) {
        return inAnyJob(slurm, folder).environment("SLURM_JOB_ID", job).environment("SLURM_JOB_NUM_NODES", "2");
    }

    private static ParentRun.Order inAnyJob(MiniSlurm slurm, Path folder) {
        ParentRun.Order order = new ParentRun.Order(folder)
                .startedBy(slurm.commandLine())
                .environment(
                        "LD_LIBRARY_PATH",
                        Path.of("../native-comm/target/native/vendor-8.1")
                                .toAbsolutePath()
                                .toString())
                .environment("RANKUNIT_EMULATOR_SOC", "Ascend910B3");
        slurm.environment().forEach(order::environment);
        return order;
    }

    /** Start it, and wait until each rank of the first test has noted that it waits. */
    static SlurmRun untilRanksWait(MiniSlurm slurm, Path folder, int ranks, ParentRun.Order order, Class<?>... types)
            throws Exception {
        SlurmRun run = new SlurmRun(slurm, folder, order.start(types));
        for (int rank = 0; rank < ranks; rank++) {
            int each = rank;
            await("rank " + rank + " waits", () -> !run.notes(each, "waits").isEmpty());
        }
        return run;
    }

    ParentRun parent() {
        return run;
    }

    /** What a rank has noted that begins so, without that beginning. */
    List<String> notes(int rank, String prefix) throws IOException {
        return notes(folder, rank, prefix);
    }

    /** What a rank of the run with this folder has noted that begins so, without that beginning. */
    static List<String> notes(Path folder, int rank, String prefix) throws IOException {
        Path file = folder.resolve("notes-of-rank-" + rank);
        return !Files.exists(file)
                ? List.of()
                : Files.readAllLines(file).stream()
                        .filter(line -> line.startsWith(prefix))
                        .map(line -> line.substring(prefix.length()))
                        .toList();
    }

    /** The first thing that a rank has noted so. */
    String note(int rank, String prefix) throws IOException {
        return notes(rank, prefix).get(0);
    }

    /** The node of a rank. */
    String node(int rank) throws IOException {
        return note(rank, "place ").split(" ", -1)[0];
    }

    /** The job of the run. */
    String job() throws IOException {
        return note(0, "step ").split("\\.", -1)[0];
    }

    /** Wait until none of the first ranks has a process any more. */
    void awaitEndOfRanks(int ranks) throws Exception {
        for (int rank = 0; rank < ranks; rank++) {
            Path process = Path.of("/proc", note(rank, "pid "), "cmdline");
            await("rank " + rank + " ends", () -> isGone(process));
        }
    }

    private static boolean isGone(Path commandLine) {
        try {
            return Files.readAllBytes(commandLine).length == 0;
        } catch (IOException e) {
            return true;
        }
    }

    /** Wait until the job of this run is given back, and assert that it has left nothing. */
    void assertNothingIsLeft() throws Exception {
        awaitEndOfJob();
        try (Stream<Path> sessions = Files.list(folder.resolve("out/sessions"))) {
            assertThat(sessions).as("session folders").isEmpty();
        }
    }

    /** Wait until the job of this run is given back. */
    void awaitEndOfJob() throws Exception {
        String job = job();
        await(
                "job " + job + " ends",
                () -> slurm.run("squeue", "-h", "-j", job, "-t", "pending,running,suspended")
                        .out()
                        .isBlank());
    }

    /** Wait until a condition holds, which it must. */
    static void await(String what, Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + PATIENCE;
        while (!condition.call()) {
            assertThat(System.nanoTime()).as("%s in time", what).isLessThan(deadline);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }
}
