package org.rankunit.engine.link;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.control.Channel;
import org.rankunit.engine.launch.ExitStatus;
import org.rankunit.engine.launch.RankLog;
import org.rankunit.engine.launch.local.OomKills;
import org.rankunit.engine.launch.local.crash.CrashReport;

/** What the parent holds of one rank: its process, its log, and once it has said hello its channel. */
public final class RankLink {

    private final int rank;
    private final int device;
    private final Process process;
    private final RankLog log;

    /** Where its JVM writes what it knows when native code makes it crash. */
    private final Path crashReport;

    private final OomKills oomKills = new OomKills();

    private @Nullable Channel channel;

    /** What makes its device suspect, if anything. */
    private @Nullable String suspicion;

    /** Whether it comes out of a wait in its communicator when that is aborted. */
    private boolean wakeable = true;

    /** The process has ended, and everything it said has been read. */
    private boolean gone;

    public RankLink(int rank, int device, Process process, RankLog log, Path crashReport) {
        this.rank = rank;
        this.device = device;
        this.process = process;
        this.log = log;
        this.crashReport = crashReport;
    }

    public int rank() {
        return rank;
    }

    public int device() {
        return device;
    }

    public Process process() {
        return process;
    }

    public RankLog log() {
        return log;
    }

    /** Its end of the control channel; {@code null} before it has said hello, and once it has hung up. */
    @Nullable Channel channel() {
        return channel;
    }

    void channel(@Nullable Channel now) {
        channel = now;
    }

    /** Whether it can be asked anything. */
    public boolean isHeard() {
        return channel != null && !gone;
    }

    /** Whether it comes out of a wait in its communicator when that is aborted. */
    public boolean wakeable() {
        return wakeable;
    }

    public void wakeable(boolean now) {
        wakeable = now;
    }

    boolean gone() {
        return gone;
    }

    void gone(boolean now) {
        gone = now;
    }

    /** Say what makes its device suspect; of several reasons the first is kept. */
    public void suspect(String how) {
        suspicion = suspicion == null ? how : suspicion;
    }

    /** What makes its device suspect: something that was said, or that it did not live to be asked to leave. */
    public Optional<String> suspicion() {
        if (suspicion == null && !process.isAlive() && process.exitValue() != 0) {
            suspicion = describe(new ExitStatus(process.exitValue()));
        }
        return Optional.ofNullable(suspicion).map(how -> "rank " + rank + " " + how + ", see " + log.file());
    }

    /** What it left behind: where it crashed, or else the last lines it printed. */
    public String lastWords() {
        return CrashReport.head(crashReport).orElseGet(log::tail);
    }

    /** How its process ended. A JVM that crashed says so itself, and then exits as it likes. */
    public String describe(ExitStatus status) {
        return (Files.isRegularFile(crashReport) ? "crashed in native code and " : "")
                + status.describe()
                + (status.isKill() ? oomKills.explain() : "");
    }

    /** Name the rank for a message. */
    public String describe() {
        return "rank " + rank + " (device " + device + ", pid " + process.pid() + ")";
    }
}
