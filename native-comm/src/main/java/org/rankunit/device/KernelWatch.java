package org.rankunit.device;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reports kernels that run for too long. A kernel cannot be stopped from outside, so nothing more can be done about it.
 *
 * <p>Its thread starts with the first kernel, and sleeps until the oldest running kernel would exceed the limit.
 */
final class KernelWatch {

    private final long limitNanos;
    private final Consumer<String> late;
    private final Set<Run> running = ConcurrentHashMap.newKeySet();
    private volatile @Nullable Thread watcher;

    /** Whether the watcher sleeps without a time limit, since no unreported kernel is running. */
    private volatile boolean idle;

    KernelWatch(Duration limit, Consumer<String> late) {
        this.limitNanos = limit.toNanos();
        this.late = late;
    }

    /** One run of a kernel. Compared by identity: a kernel may run on several threads at once. */
    private static final class Run {

        final String kernel;
        final long startNanos = System.nanoTime();

        /** Used only by the watcher thread. */
        private boolean told;

        Run(String kernel) {
            this.kernel = kernel;
        }
    }

    /** Run {@code launch}, and report the kernel if that takes too long. */
    void during(String kernel, Runnable launch) {
        Run run = new Run(kernel);
        running.add(run);
        wake();
        try {
            launch.run();
        } finally {
            running.remove(run);
        }
    }

    private void wake() {
        Thread thread = watcher;
        if (thread == null) {
            start();
        } else if (idle) {
            LockSupport.unpark(thread);
        }
    }

    private synchronized void start() {
        if (watcher == null) {
            Thread thread = new Thread(this::watch, "rankunit-kernel-watch");
            thread.setDaemon(true);
            watcher = thread;
            thread.start();
        }
    }

    private void watch() {
        while (true) {
            long now = System.nanoTime();
            long wait = Long.MAX_VALUE;
            for (Run run : running) {
                long left = run.startNanos + limitNanos - now;
                if (left > 0) {
                    wait = Math.min(wait, left);
                } else if (!run.told) {
                    run.told = true;
                    late.accept(run.kernel);
                }
            }
            idle = wait == Long.MAX_VALUE;
            if (!idle) {
                LockSupport.parkNanos(this, wait);
            } else if (running.stream().allMatch(run -> run.told)) {
                LockSupport.park(this);
            }
            idle = false;
        }
    }
}
