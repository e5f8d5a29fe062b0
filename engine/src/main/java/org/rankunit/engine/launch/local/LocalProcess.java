package org.rankunit.engine.launch.local;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.rankunit.engine.launch.ExitStatus;
import org.rankunit.engine.launch.ProcessInspection;
import org.rankunit.engine.launch.RankLog;
import org.rankunit.engine.launch.RankProcess;
import org.rankunit.engine.launch.crash.CrashReport;
import org.rankunit.engine.launch.crash.ProcessEnd;
import org.rankunit.engine.protocol.DeviceRef;
import org.rankunit.engine.protocol.LogMark;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A rank that is a child of this process. */
final class LocalProcess implements RankProcess {

    private final int rank;
    private final DeviceRef device;
    private final Process process;
    private final RankLog log;

    /** Where its JVM writes a report if native code crashes it. */
    private final Path crashReport;

    /** Where it notes which kernels run. */
    private final Path runningKernels;

    private final OomKills oomKills = new OomKills();

    LocalProcess(int rank, DeviceRef device, Process process, RankLog log, Path crashReport, Path runningKernels) {
        this.rank = rank;
        this.device = device;
        this.process = process;
        this.log = log;
        this.crashReport = crashReport;
        this.runningKernels = runningKernels;
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public DeviceRef device() {
        return device;
    }

    @Override
    public String describe() {
        return "pid " + process.pid();
    }

    @Override
    public RankLog log() {
        return log;
    }

    @Override
    public Optional<ExitStatus> exitStatus() {
        return process.isAlive() ? Optional.empty() : Optional.of(new ExitStatus(process.exitValue()));
    }

    @Override
    public void onExit(Runnable hear) {
        var unused = process.onExit().thenRun(hear);
    }

    /** Does nothing: the kernel reports the end of a child by itself. */
    @Override
    public void confirmExit() {}

    @Override
    public String explain(ExitStatus status) {
        // This process lives and has not closed the channel.
        if (status.isKill() && log.hasLately(LogMark.CHANNEL_ENDED)) {
            return "ended itself: its control channel was closed by the test";
        }
        return ProcessEnd.describe(status, crashReport, runningKernels) + (status.isKill() ? oomKills.explain() : "");
    }

    @Override
    public int endingThread() {
        return ProcessEnd.thread(crashReport, runningKernels);
    }

    @Override
    public String lastWords() {
        return CrashReport.head(crashReport).orElseGet(log::tail);
    }

    @Override
    public void kill() {
        process.destroyForcibly();
    }

    @Override
    public Future<ProcessInspection> inspect() {
        return LocalInspection.begin(this);
    }

    long pid() {
        return process.pid();
    }

    Stream<ProcessHandle> descendants() {
        return process.descendants();
    }

    /**
     * Close the rank's standard input. This ends the thread in the rank that watches for the end of its parent, after the rank was
     * asked to exit.
     */
    void closeInput() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            logger().debug("Rank {} ({}) has closed its input already", rank, describe(), e);
        }
    }

    /** Wait for its end, for a time that may be negative. Returns whether it has ended. */
    boolean awaitExit(Duration grace) throws InterruptedException {
        return process.waitFor(Math.max(0, grace.toNanos()), TimeUnit.NANOSECONDS);
    }

    /** Obtained only when there is something to log: without a provider, SLF4J prints a warning for the first logger. */
    private static Logger logger() {
        return LoggerFactory.getLogger(LocalProcess.class);
    }
}
