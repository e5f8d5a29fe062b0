package org.rankunit.engine.launch;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.protocol.place.DeviceRef;

/** The process of a rank that a test plays: a real process that does nothing, of which the launcher hears as a test wants it. */
public final class PlayedProcess implements RankProcess {

    /** When the launcher hears of the end of a process. */
    public enum News {
        AT_ONCE,
        WHEN_ASKED,
        NEVER
    }

    private final int rank;
    private final DeviceRef device;
    private final RankLog log;
    private final News news;
    private final Process process;
    private final List<Runnable> hearers = new CopyOnWriteArrayList<>();
    private final AtomicInteger nodeChecks = new AtomicInteger();
    private volatile boolean isAsked;
    private volatile @Nullable String nodeLoss;

    public PlayedProcess(int rank, DeviceRef device, Path folder, News news) throws IOException {
        this.rank = rank;
        this.device = device;
        this.log = new RankLog(folder.resolve("log-" + rank));
        this.news = news;
        this.process = new ProcessBuilder("sleep", "1000").start();
        if (news == News.AT_ONCE) {
            tellOfExit();
        }
    }

    private void tellOfExit() {
        var unused = process.onExit().thenRun(() -> hearers.forEach(Runnable::run));
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
        return "played";
    }

    @Override
    public RankLog log() {
        return log;
    }

    @Override
    public Optional<ExitStatus> exitStatus() {
        boolean isKnown = news == News.AT_ONCE || (news == News.WHEN_ASKED && isAsked);
        return isKnown && !process.isAlive() ? Optional.of(new ExitStatus(process.exitValue())) : Optional.empty();
    }

    @Override
    public void onExit(Runnable hear) {
        hearers.add(hear);
    }

    @Override
    public void confirmExit() {
        isAsked = true;
        if (news == News.WHEN_ASKED) {
            tellOfExit();
        }
    }

    /** Whether the parent wanted to know if it has ended. */
    public boolean isAsked() {
        return isAsked;
    }

    /** From now on, the node of the process does not answer. */
    public void loseNode(String why) {
        nodeLoss = why;
    }

    @Override
    public void checkNode(Consumer<String> lost) {
        nodeChecks.incrementAndGet();
        String why = nodeLoss;
        if (why != null) {
            lost.accept(why);
        }
    }

    /** How often the parent wanted to know if its node answers. */
    public int nodeChecks() {
        return nodeChecks.get();
    }

    @Override
    public String explain(ExitStatus status) {
        return status.describe();
    }

    @Override
    public String lastWords() {
        return log.tail();
    }

    @Override
    public void kill() {
        process.destroyForcibly();
    }

    @Override
    public Future<ProcessInspection> inspect() {
        return CompletableFuture.completedFuture(new ProcessInspection(""));
    }
}
