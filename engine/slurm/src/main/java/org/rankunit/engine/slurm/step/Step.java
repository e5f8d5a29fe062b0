package org.rankunit.engine.slurm.step;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.rankunit.engine.launch.ExitStatus;
import org.rankunit.engine.site.SiteException;
import org.rankunit.engine.slurm.job.Allocation;
import org.rankunit.engine.slurm.job.SlurmCommands;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One {@code srun} and the ranks that it has started. What it says of its tasks tells how they ended; its own exit code tells
 * nothing, since it is the largest of all of them.
 */
final class Step {

    /** How long {@code srun} may take to end its tasks when it is told to. */
    private static final Duration TERM_GRACE = Duration.ofSeconds(3);

    private static final Duration KILL_GRACE = Duration.ofSeconds(5);

    private static final Duration CANCEL_GRACE = Duration.ofSeconds(3);

    /** How long Slurm may take to say that it has ended a task, after the task has ended. */
    private static final Duration WORD_GRACE = Duration.ofMillis(300);

    private static final Duration WORD_LOOK = Duration.ofMillis(5);

    /** How long the first rank of a step may take to connect before Slurm is asked whether the job has lost nodes. */
    private static final Duration START_GRACE = Duration.ofSeconds(5);

    /** Exit codes of processes that these signals have ended. */
    private static final int TERMINATED = 128 + 15;

    private static final int KILLED = 128 + 9;

    /** The end of what srun says of a node that has failed, and whose job goes on without it. */
    private static final String NO_SUCH_NODE = "Requested node configuration is not available";

    /** What the daemon of a node says if it cannot open a log. */
    private static final String NO_LOG = "could not connect IO";

    private static final String LOG_ADVICE = " (the daemons of the nodes write the logs of ranks: the output folder,"
            + " rankunit.output-dir, must be on a file system that all nodes see and this user may write to, or"
            + " rankunit.slurm.files = copied)";

    private final Process srun;
    private final StepPart part;
    private final List<StepRank> ranks;
    private final Allocation allocation;
    private final StringBuilder complaints = new StringBuilder();
    private final Thread reader;

    /** Whether this process ends the step. */
    private volatile boolean isEnding;

    /** The largest exit code of a task, as far as srun has said it. Only used on the thread that reads. */
    private int largestCode;

    /** Why the whole step has ended, if Slurm has said it. */
    private volatile String end = "";

    private Step(Process srun, StepPart part, List<StepRank> ranks, Allocation allocation) {
        this.srun = srun;
        this.part = part;
        this.ranks = ranks;
        this.allocation = allocation;
        this.reader = new Thread(this::read, "rankunit-srun-" + srun.pid());
        reader.setDaemon(true);
    }

    /** Start a step; its ranks read the token from their input. */
    static Step start(
            List<String> command,
            Map<String, String> environment,
            String token,
            StepPart part,
            List<StepRank> ranks,
            Allocation allocation)
            throws IOException {
        ProcessBuilder builder = allocation.slurm().builder(command);
        builder.environment().putAll(environment);
        builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
        Process process = builder.start();
        Step step = new Step(process, part, ranks, allocation);
        step.reader.start();
        if (!allocation.hasShrunk()) {
            Thread watch = new Thread(step::watchStart, "rankunit-srun-start-" + process.pid());
            watch.setDaemon(true);
            watch.start();
        }
        OutputStream input = process.getOutputStream();
        try {
            // Slurm gives a copy to every task. It stays open: its end tells the ranks that their parent is gone.
            input.write((token + "\n").getBytes(StandardCharsets.UTF_8));
            input.flush();
        } catch (IOException e) {
            LoggerFactory.getLogger(Step.class).debug("srun ended before it read the token; its output says why", e);
        }
        return step;
    }

    private void read() {
        try (InputStream err = srun.getErrorStream();
                BufferedReader lines = new BufferedReader(new InputStreamReader(err, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                hear(line);
            }
        } catch (IOException e) {
            LoggerFactory.getLogger(Step.class).debug("The output of srun cannot be read", e);
        } finally {
            // Whatever happened here, nothing may wait for ranks that have ended.
            allEnded();
        }
    }

    private void hear(String line) {
        StepMessage message = StepMessages.read(line);
        if (message instanceof StepMessage.TaskEnded ended) {
            taskEnded(ended);
        } else if (message instanceof StepMessage.NodeFailed failed) {
            nodeFailed(failed.node());
        } else if (message instanceof StepMessage.LaunchFailed failed) {
            complain("no task can be started on " + failed.node() + ": " + failed.why());
            allocation.lost().add(failed.node(), "Slurm can start no task there: " + failed.why());
        } else if (message instanceof StepMessage.Cancelled cancelled) {
            end = cancelled.why().isEmpty()
                    ? "its step was cancelled"
                    : "its step was cancelled due to " + cancelled.why();
        } else if (message instanceof StepMessage.Waiting waiting) {
            LoggerFactory.getLogger(Step.class).info("Ranks on {} wait for Slurm: {}", part.nodes(), waiting.why());
            ranks.forEach(rank -> rank.waits(waiting.why()));
        } else if (message instanceof StepMessage.Other other) {
            complain(other.text());
            if (other.text().endsWith(NO_SUCH_NODE)) {
                part.nodes().forEach(node -> allocation.lost().add(node, "Slurm reports that it is not available"));
            }
        }
    }

    /**
     * Give up the step if it has not started for long and the job has lost nodes: Slurm then lets it wait for what others will never
     * give back, and says nothing. Another step shares what the job has.
     */
    private void watchStart() {
        try {
            boolean waits = !srun.waitFor(START_GRACE.toMillis(), TimeUnit.MILLISECONDS)
                    && ranks.stream().noneMatch(rank -> rank.step().isPresent());
            if (waits && !isEnding && allocation.looksWhetherShrunk()) {
                complain("the job has lost nodes, and Slurm lets the step wait");
                ranks.forEach(StepRank::refuseStart);
                srun.destroy();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void taskEnded(StepMessage.TaskEnded message) {
        largestCode = Math.max(largestCode, message.exitCode());
        ExitStatus status = new ExitStatus(message.exitCode());
        boolean maybeBySlurm = !isEnding && (message.exitCode() == TERMINATED || message.exitCode() == KILLED);
        for (int task : message.tasks()) {
            if (task >= ranks.size()) {
                complain("srun names task " + task + " of " + ranks.size());
            } else if (maybeBySlurm) {
                ranks.get(task).askedAbout();
                askWhy(ranks.get(task), status);
            } else {
                ranks.get(task).ended(status, "");
            }
        }
    }

    /** A task was ended by a signal that Slurm uses as well. It says so at about the same time, or the job's state does. */
    private void askWhy(StepRank rank, ExitStatus status) {
        Thread thread = new Thread(
                () -> {
                    Optional<String> ended = allocation.whyEnded();
                    long deadline = System.nanoTime() + WORD_GRACE.toNanos();
                    while (ended.isEmpty() && end.isEmpty() && System.nanoTime() < deadline) {
                        LockSupport.parkNanos(WORD_LOOK.toNanos());
                    }
                    rank.ended(status, end.isEmpty() ? ended.orElse("") : end);
                },
                "rankunit-ask-why");
        thread.setDaemon(true);
        thread.start();
    }

    private void nodeFailed(String node) {
        allocation.lost().add(node, "Slurm reports its failure");
        for (StepRank rank : ranks) {
            if (rank.device().node().equals(node)) {
                rank.ended(StepRank.UNKNOWN, "was lost with its node: Slurm reports the failure of " + node);
            }
        }
    }

    private void complain(String text) {
        synchronized (complaints) {
            complaints.append(complaints.isEmpty() ? "" : "; ").append(text);
            if (text.contains(NO_LOG) && complaints.indexOf(LOG_ADVICE) < 0) {
                complaints.append(LOG_ADVICE);
            }
        }
    }

    /** Nothing of the step runs any more, so far as srun knows. */
    private void allEnded() {
        int code;
        try {
            code = srun.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        // srun names tasks that end with another code than 0, and ends with the largest of their codes.
        boolean namedAll = code == 0 || code == largestCode;
        for (StepRank rank : ranks) {
            if (rank.step().isEmpty()) {
                rank.ended(StepRank.UNKNOWN, "was not started: " + whyNotStarted(code));
            } else if (!end.isEmpty()) {
                rank.ended(StepRank.UNKNOWN, "was ended by Slurm: " + end);
            } else if (!rank.isAskedAbout()) {
                rank.ended(
                        namedAll ? new ExitStatus(0) : StepRank.UNKNOWN,
                        "ended with its step, of which srun reports only the exit code " + code);
            }
        }
    }

    private String whyNotStarted(int code) {
        Optional<String> ended = isEnding ? Optional.empty() : allocation.whyEnded();
        synchronized (complaints) {
            return ended.orElse(complaints.isEmpty() ? "srun ended with exit code " + code : complaints.toString());
        }
    }

    /** The end of the ranks' input: with it, those that were asked to exit do not wait for more. */
    void closeInput() {
        try {
            srun.getOutputStream().close();
        } catch (IOException e) {
            LoggerFactory.getLogger(Step.class).debug("srun has closed its input already", e);
        }
    }

    /** Wait for its end, for a time that may be negative. Returns whether it has ended. */
    boolean awaitEnd(Duration grace) throws InterruptedException {
        return srun.waitFor(Math.max(0, grace.toNanos()), TimeUnit.NANOSECONDS);
    }

    /** Ask srun to end all its tasks; it passes the signal on. */
    void terminate() {
        isEnding = true;
        srun.destroy();
    }

    /** End whatever is left of it, by the id of the step. Blocks for a bounded time. */
    void kill() throws InterruptedException {
        boolean hasEnded = awaitEnd(TERM_GRACE);
        if (!hasEnded) {
            cancel();
        }
        if (!hasEnded && !awaitEnd(KILL_GRACE)) {
            srun.destroyForcibly();
            LoggerFactory.getLogger(Step.class).warn("srun for ranks on {} did not end, and was killed", part.nodes());
        }
    }

    private void cancel() {
        ranks.stream().flatMap(rank -> rank.step().stream()).findFirst().ifPresent(this::cancel);
    }

    /** Slurm answers late, or never, for a node that it cannot reach; such a node's ranks end by themselves. */
    private void cancel(String step) {
        Logger log = LoggerFactory.getLogger(Step.class);
        try {
            SlurmCommands.Output output =
                    allocation.slurm().run(CANCEL_GRACE, List.of("scancel", "--signal=KILL", step));
            log.debug("scancel {}: {}", step, output);
        } catch (SiteException e) {
            if (ranks.stream().anyMatch(StepRank::isNodeLost)) {
                log.debug("Step {} cannot be cancelled", step, e);
            } else {
                log.warn("Step {} cannot be cancelled: {}", step, e.getMessage());
            }
        }
    }
}
