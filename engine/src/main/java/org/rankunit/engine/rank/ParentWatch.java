package org.rankunit.engine.rank;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.rankunit.comm.jna.ProcessGroup;
import org.rankunit.engine.control.Channel;
import org.rankunit.engine.control.ProcessMark;

/**
 * Ends this process when its parent is gone, which shows as the end of our input or of the control channel.
 *
 * <p>When the parent has asked us to leave, both end on purpose, and the threads that wait there end too: the JVM waits up
 * to 300 ms at its exit for threads that are in a system call.
 */
final class ParentWatch {

    /**
     * How long the order to leave may be on its way on a machine that has more to do than it can. A rank whose parent is gone
     * does not wait for this: it hears the end of the channel.
     */
    private static final Duration ORDER_GRACE = Duration.ofSeconds(3);

    private static final CountDownLatch LEAVING = new CountDownLatch(1);
    private static volatile @Nullable Thread watch;
    private static volatile @Nullable ProcessGroup group;

    private ParentWatch() {}

    /** Watch our input: the parent keeps its other end open and writes nothing more. */
    static void start(InputStream input) {
        Thread thread = new Thread(() -> {
            try {
                while (input.read() >= 0) {
                    // Nothing is said here.
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
     * When the parent is gone, end all processes of this group, and not this one alone.
     *
     * <p>The kernel hangs up on a rank that was stopped when its parent is gone, which may end it before it hears of that
     * otherwise.
     */
    static void endWith(ProcessGroup ours) {
        group = ours;
        try {
            Runtime.getRuntime().addShutdownHook(new Thread(ParentWatch::endStrays, "rankunit-end"));
        } catch (IllegalStateException e) {
            // This process is ending already. How it ends says why; that it is too late for this would hide it.
            RankConsole.err().println("rankunit: this rank is ending while it comes up");
        }
    }

    /** The parent has asked us to leave: from now on its silence is no loss. */
    static void leaving() {
        LEAVING.countDown();
    }

    /** The input has ended: end this process, unless the order to leave came or is still on its way. */
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

    /** The control channel has ended: end this process and those it started at once, unless it is leaving. */
    static void channelEnded() {
        if (LEAVING.getCount() > 0) {
            try {
                RankConsole.err()
                        .println("rankunit: the control channel has ended, and with it this rank and its processes");
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

    /** End the processes that come from this one, in its process group or not, unless we have been asked to leave. */
    private static void endStrays() {
        if (LEAVING.getCount() > 0) {
            ProcessMark.ofThisProcess().ifPresent(mark -> mark.bearers().forEach(ProcessHandle::destroyForcibly));
        }
    }

    private static void endGroup() {
        ProcessGroup ours = group;
        if (ours != null) {
            ours.end();
        }
        Runtime.getRuntime().halt(Channel.LOST_EXIT_CODE);
    }

    /** Wait a moment for the watching thread to end. */
    static void awaitEnd() {
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
