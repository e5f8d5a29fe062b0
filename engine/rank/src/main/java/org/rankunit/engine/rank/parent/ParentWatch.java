package org.rankunit.engine.rank.parent;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.rankunit.comm.jna.OsProcessGroup;
import org.rankunit.engine.protocol.LogMark;
import org.rankunit.engine.protocol.ProcessMark;
import org.rankunit.engine.protocol.wire.Channel;
import org.rankunit.engine.rank.evidence.RankConsole;

/**
 * Ends this process when its parent is gone, which is detected by the end of our input or of the control channel.
 *
 * <p>When the parent has asked us to exit, both end on purpose, and the threads that wait there end, too. Otherwise the JVM would
 * wait up to 300 ms at its exit for threads that are in a system call.
 */
public final class ParentWatch {

    /**
     * How long the order to exit may be delayed on an overloaded machine. A rank whose parent is gone does not wait this long,
     * because it notices the end of the channel.
     */
    private static final Duration ORDER_GRACE = Duration.ofSeconds(3);

    /** How long the parent, on another machine, may send no sign of life. */
    private static final Duration SILENCE = Duration.ofSeconds(15);

    /** How long after a signal the JVM may begin to end; it does not if the test handles that signal. */
    private static final Duration SIGNAL_GRACE = Duration.ofSeconds(1);

    /** How long the end of this process may take, which runs what the test has registered for it. */
    private static final Duration END_GRACE = Duration.ofSeconds(10);

    private static final CountDownLatch ENDING = new CountDownLatch(1);
    private static final CountDownLatch NEVER = new CountDownLatch(1);
    private static volatile BooleanSupplier askedToEnd = () -> false;

    private static final CountDownLatch LEAVING = new CountDownLatch(1);
    private static volatile @Nullable Thread watch;
    private static volatile @Nullable OsProcessGroup group;

    private ParentWatch() {}

    /**
     * End this process when the parent is not heard for {@link #SILENCE}: if the network between two machines is cut, or the
     * parent's machine is lost, neither our input nor the channel ends. Answers each sign of life with one.
     *
     * @return is told of each channel to the parent; only the latest is open
     */
    public static Consumer<Channel> expectSigns() {
        AtomicLong heard = new AtomicLong(System.nanoTime());
        Thread thread = new Thread(() -> awaitSilence(heard));
        thread.setName("rankunit-silence-watch");
        thread.setDaemon(true);
        thread.start();
        return channel -> {
            heard.set(System.nanoTime());
            channel.onSign(() -> {
                heard.set(System.nanoTime());
                channel.trySign();
            });
        };
    }

    private static void awaitSilence(AtomicLong heard) {
        try {
            while (System.nanoTime() - heard.get() < SILENCE.toNanos()) {
                if (LEAVING.await(1, TimeUnit.SECONDS)) {
                    return;
                }
            }
            RankConsole.err().println("rankunit: the parent has been silent for " + SILENCE.toSeconds() + " s");
            channelEnded();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Watch our input: the parent keeps its end open and writes nothing more. */
    public static void start(InputStream input) {
        Thread thread = new Thread(() -> {
            try {
                while (input.read() >= 0) {
                    // No input is expected here.
                }
            } catch (IOException e) {
                RankConsole.err().println("rankunit: lost the parent: " + e);
            }
            inputEnded();
        });
        thread.setName("rankunit-parent-watch");
        thread.setDaemon(true);
        thread.start();
        watch = thread;
    }

    /**
     * When the parent is gone, end all processes of this group, not only this one.
     *
     * <p>If a rank is stopped when its parent disappears, the kernel sends it a hang-up signal, which may end it before it notices
     * the loss in any other way.
     *
     * @param ours {@code null} if a person has started this process: then it ends only itself and its descendants
     */
    public static void endWith(@Nullable OsProcessGroup ours) {
        group = ours;
        try {
            Runtime.getRuntime().addShutdownHook(new Thread(ParentWatch::end, "rankunit-end"));
        } catch (IllegalStateException e) {
            // This process is already ending. Its exit shows the reason; an exception about the late hook would hide
            // that.
            RankConsole.err().println("rankunit: this rank is ending while it comes up");
        }
    }

    /** From now on, a signal that asks this process to end is noticed before the JVM begins to. */
    public static void noticeSignals(BooleanSupplier isAskedToEnd) {
        askedToEnd = isAskedToEnd;
    }

    /**
     * If this process is about to end although the parent has not asked for it, wait for that: what its tests do meanwhile is not
     * their result, and the parent learns how it ended.
     *
     * @return whether it is about to end and does not
     */
    public static boolean awaitUnwantedEnd() {
        try {
            boolean ends = ENDING.getCount() == 0
                    || (askedToEnd.getAsBoolean() && ENDING.await(SIGNAL_GRACE.toMillis(), TimeUnit.MILLISECONDS));
            return ends && LEAVING.getCount() > 0 && !NEVER.await(END_GRACE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ENDING.getCount() == 0;
        }
    }

    private static void end() {
        ENDING.countDown();
        endStrays();
    }

    /** The parent has asked us to exit. From now on the end of the input or the channel is expected. */
    public static void leaving() {
        LEAVING.countDown();
    }

    /** The input has ended: end this process, unless the order to exit has arrived or is still on its way. */
    private static void inputEnded() {
        try {
            if (LEAVING.await(ORDER_GRACE.toMillis(), TimeUnit.MILLISECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        channelEnded();
    }

    /** The control channel has ended: end this process and those it started immediately, unless this process is exiting. */
    public static void channelEnded() {
        if (LEAVING.getCount() > 0) {
            try {
                RankConsole.err().println(LogMark.CHANNEL_ENDED);
            } finally {
                endAll();
            }
        }
    }

    private static void endAll() {
        try {
            endStrays();
        } finally {
            endGroup();
        }
    }

    /**
     * End the processes that descend from this one, whether or not they are in its process group, unless we have been asked to
     * exit.
     */
    private static void endStrays() {
        if (LEAVING.getCount() > 0) {
            ProcessMark.ofThisProcess()
                    .map(mark -> mark.bearers().stream())
                    .orElseGet(() -> ProcessHandle.current().descendants())
                    .forEach(ProcessHandle::destroyForcibly);
        }
    }

    private static void endGroup() {
        OsProcessGroup ours = group;
        if (ours != null) {
            ours.end();
        }
        Runtime.getRuntime().halt(Channel.LOST_EXIT_CODE);
    }

    /** Wait up to 100 ms for the watching thread to end. */
    public static void awaitEnd() {
        Thread thread = watch;
        try {
            if (thread != null) {
                thread.join(100);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
