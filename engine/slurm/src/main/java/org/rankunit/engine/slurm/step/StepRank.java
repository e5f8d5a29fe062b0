package org.rankunit.engine.slurm.step;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.launch.ExitStatus;
import org.rankunit.engine.launch.ProcessInspection;
import org.rankunit.engine.launch.RankLog;
import org.rankunit.engine.launch.RankProcess;
import org.rankunit.engine.launch.crash.CrashReport;
import org.rankunit.engine.launch.crash.ProcessEnd;
import org.rankunit.engine.protocol.DeviceRef;
import org.rankunit.engine.protocol.RankPlace;

/** A rank that is a task of a step. Its process is known once it has connected; how it ended is known from {@code srun}. */
final class StepRank implements RankProcess {

    /** It ended with its node or its step, and it is unknown how. The code is not 0, so that its device counts as suspect. */
    static final ExitStatus UNKNOWN = new ExitStatus(-1);

    private final int rank;
    private final DeviceRef slot;
    private final StepPart part;
    private final boolean isSimulated;
    private final RankLog log;
    private final StepTools tools;

    // Guarded by this.
    private @Nullable RankPlace place;
    private @Nullable ExitStatus status;
    private String cause = "";
    private String waitsFor = "";
    private boolean startRefused;
    private boolean askedAbout;
    private boolean outputBrought;
    private @Nullable Runnable hear;

    /** @param slot the slot of the allocation, which is the device if it is a simulated one */
    StepRank(int rank, DeviceRef slot, StepPart part, boolean isSimulated, RankLog log, StepTools tools) {
        this.rank = rank;
        this.slot = slot;
        this.part = part;
        this.isSimulated = isSimulated;
        this.log = log;
        this.tools = tools;
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public synchronized DeviceRef device() {
        return place == null || isSimulated ? slot : new DeviceRef(slot.node(), place.device());
    }

    @Override
    public synchronized OptionalInt runtimeDevice() {
        return place == null || isSimulated ? OptionalInt.empty() : OptionalInt.of(place.runtimeDevice());
    }

    @Override
    public synchronized String describe() {
        return place == null ? "a task on " + slot.node() : "pid " + place.pid();
    }

    /** The id of its step, once it has connected. */
    synchronized Optional<String> step() {
        return Optional.ofNullable(place).map(RankPlace::step);
    }

    @Override
    public RankLog log() {
        return log;
    }

    @Override
    public Optional<String> joined(RankPlace joined) {
        synchronized (this) {
            place = joined;
        }
        if (!joined.node().equals(slot.node())) {
            return Optional.of("runs on " + joined.node() + ", not there, although srun was told so");
        }
        return isSimulated ? Optional.empty() : tools.devices().claim(this, device(), joined.deviceSource());
    }

    @Override
    public synchronized Optional<ExitStatus> exitStatus() {
        return Optional.ofNullable(status);
    }

    @Override
    public void onExit(Runnable listener) {
        boolean hasEnded;
        synchronized (this) {
            hear = listener;
            hasEnded = status != null;
        }
        if (hasEnded) {
            listener.run();
        }
    }

    /**
     * It has ended; later calls have no effect.
     *
     * @param why a clause that says how, if the status does not
     */
    void ended(ExitStatus how, String why) {
        Runnable listener;
        synchronized (this) {
            if (status != null) {
                return;
            }
            status = how;
            cause = why;
            listener = hear;
        }
        tools.devices().release(this);
        if (listener != null) {
            listener.run();
        }
    }

    /** Slurm lets it wait. */
    synchronized void waits(String why) {
        waitsFor = why;
    }

    /** Slurm would let it wait forever. */
    synchronized void refuseStart() {
        startRefused = true;
    }

    @Override
    public synchronized Optional<String> startWaitsFor() {
        return Optional.of(waitsFor).filter(why -> !why.isEmpty()).map(why -> "srun: " + why);
    }

    @Override
    public synchronized boolean isStartRefused() {
        return startRefused;
    }

    /** It has ended, and how is being asked. */
    synchronized void askedAbout() {
        askedAbout = true;
    }

    synchronized boolean isAskedAbout() {
        return askedAbout;
    }

    /** Does nothing: {@code srun} reports it. */
    @Override
    public void confirmExit() {}

    @Override
    public boolean isNodeLost() {
        return tools.watch().isLost(slot.node());
    }

    @Override
    public void checkNode(Consumer<String> lost) {
        tools.watch().ask(slot.node(), lost);
    }

    /** The last of what a rank has printed stays on its node if it died at once. */
    private void bringOutput() {
        boolean isFirst;
        synchronized (this) {
            isFirst = !outputBrought;
            outputBrought = true;
        }
        if (isFirst) {
            tools.bringOutput(slot.node(), log.file());
        }
    }

    private Optional<Path> crashReport() {
        RankPlace known;
        synchronized (this) {
            known = place;
        }
        return known == null ? Optional.empty() : tools.crashReport(part, known.node(), known.pid());
    }

    @Override
    public void bringRecord(Path recorded) {
        tools.bringRecord(slot.node(), recorded);
    }

    @Override
    public String explain(ExitStatus how) {
        bringOutput();
        Optional<String> crash =
                how.code() == 0 ? Optional.empty() : crashReport().flatMap(ProcessEnd::crash);
        synchronized (this) {
            String end = crash.orElseGet(how::describe) + (how.code() == 0 || cause.isEmpty() ? "" : ": " + cause);
            return how.equals(UNKNOWN) && crash.isEmpty() ? cause : end;
        }
    }

    @Override
    public String lastWords() {
        bringOutput();
        return crashReport().flatMap(CrashReport::head).orElseGet(log::tail);
    }

    @Override
    public void kill() {
        RankPlace known;
        synchronized (this) {
            known = place;
        }
        if (known != null) {
            tools.inBackground(() -> tools.nodes().kill(known.node(), known.pid()));
        }
    }

    @Override
    public Future<ProcessInspection> inspect() {
        RankPlace known;
        synchronized (this) {
            known = place;
        }
        if (known == null) {
            return CompletableFuture.completedFuture(new ProcessInspection(""));
        }
        log.hideRest();
        return CompletableFuture.supplyAsync(() -> inspect(known), tools::inBackground);
    }

    private ProcessInspection inspect(RankPlace known) {
        boolean stopped = tools.nodes().isStopped(known.node(), known.pid()).orElse(false);
        if (!stopped) {
            tools.nodes().dump(known.node(), known.pid());
        }
        return new ProcessInspection(stopped ? "its process is stopped (SIGSTOP?)" : "");
    }
}
