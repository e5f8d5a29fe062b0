package org.rankunit.engine.launch.local;

import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.launch.ExitStatus;
import org.rankunit.engine.launch.ProcessInspection;
import org.rankunit.engine.launch.RankLog;
import org.rankunit.engine.launch.RankProcess;
import org.rankunit.engine.launch.crash.CrashReport;
import org.rankunit.engine.launch.crash.ProcessEnd;
import org.rankunit.engine.protocol.DeviceRef;

/**
 * A rank that a person starts, and that is no child of this process. Its end is known from the end of its control channel alone, and
 * it is never killed: it ends itself when its channel ends.
 */
final class ManualRank implements RankProcess {

    /** How it ended, its terminal shows. The code is not 0, so that its device counts as suspect. */
    private static final ExitStatus UNKNOWN = new ExitStatus(-1);

    private final int rank;
    private final DeviceRef device;
    private final String command;
    private final RankLog log;
    private final Path crashReport;

    // Guarded by this.
    private @Nullable Runnable hear;
    private boolean ended;

    ManualRank(int rank, DeviceRef device, String command, RankLog log, Path crashReport) {
        this.rank = rank;
        this.device = device;
        this.command = command;
        this.log = log;
        this.crashReport = crashReport;
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
        return "started by hand";
    }

    @Override
    public Optional<String> manualCommand() {
        return Optional.of(command);
    }

    @Override
    public RankLog log() {
        return log;
    }

    @Override
    public synchronized Optional<ExitStatus> exitStatus() {
        return ended ? Optional.of(UNKNOWN) : Optional.empty();
    }

    @Override
    public synchronized void onExit(Runnable listener) {
        hear = listener;
        if (ended) {
            listener.run();
        }
    }

    @Override
    public synchronized void confirmExit() {
        if (!ended) {
            ended = true;
            if (hear != null) {
                hear.run();
            }
        }
    }

    @Override
    public String explain(ExitStatus status) {
        return ProcessEnd.crash(crashReport).orElse("ended");
    }

    @Override
    public String lastWords() {
        return CrashReport.head(crashReport).orElseGet(log::tail);
    }

    /** Does nothing: this process has not started it. */
    @Override
    public void kill() {}

    /** The person who started it sees more. */
    @Override
    public Future<ProcessInspection> inspect() {
        return CompletableFuture.completedFuture(new ProcessInspection("it was started by hand"));
    }
}
