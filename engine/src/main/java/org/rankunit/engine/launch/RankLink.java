package org.rankunit.engine.launch;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.control.Channel;

/** What the parent holds of one rank: its process, its log, and once it has said hello its channel. */
final class RankLink {

    final int rank;
    final int device;
    final Process process;
    final RankLog log;

    /** Where its JVM writes what it knows when native code makes it crash. */
    private final Path crashReport;

    private final OomKills oomKills = new OomKills();

    @Nullable Channel channel;

    /** What makes its device suspect, if anything. */
    private @Nullable String suspicion;

    /** Whether it comes out of a wait in its communicator when that is aborted. */
    boolean wakeable = true;

    /** The process has ended, and everything it said has been read. */
    boolean gone;

    RankLink(int rank, int device, Process process, RankLog log, Path crashReport) {
        this.rank = rank;
        this.device = device;
        this.process = process;
        this.log = log;
        this.crashReport = crashReport;
    }

    /** Say what makes its device suspect; of several reasons the first is kept. */
    void suspect(String how) {
        suspicion = suspicion == null ? how : suspicion;
    }

    /** What makes its device suspect: something that was said, or that it did not live to be asked to leave. */
    Optional<String> suspicion() {
        if (suspicion == null && !process.isAlive() && process.exitValue() != 0) {
            suspicion = describe(new ExitStatus(process.exitValue()));
        }
        return Optional.ofNullable(suspicion).map(how -> "rank " + rank + " " + how + ", see " + log.file());
    }

    /** What it left behind: where it crashed, or else the last lines it printed. */
    String lastWords() {
        return CrashReport.head(crashReport).orElseGet(log::tail);
    }

    /** How its process ended. A JVM that crashed says so itself, and then exits as it likes. */
    String describe(ExitStatus status) {
        return (Files.isRegularFile(crashReport) ? "crashed in native code and " : "")
                + status.describe()
                + (status.isKill() ? oomKills.explain() : "");
    }

    /** Name the rank for a message. */
    String describe() {
        return "rank " + rank + " (device " + device + ", pid " + process.pid() + ")";
    }
}
