package org.rankunit.pool;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The one place where device locks are tried: whoever is inside, in any process, chooses and locks alone.
 *
 * <p>So two processes never hold half of what the other needs, and a look at the locks cannot make somebody else's
 * attempt fail. People stay inside for well under a millisecond and never wait there for a device; giving devices back
 * does not pass through here. Thread-safe.
 */
final class Gate {

    private static final long FIRST_PAUSE = TimeUnit.MICROSECONDS.toNanos(30);
    private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(2);

    /** How long the gate may take for calls that are not meant to wait; it is held for about a millisecond. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final ReentrantLock inThisJvm = new ReentrantLock(true);
    private final LockFile amongProcesses;

    Gate(Path poolFolder, Sharing sharing) {
        amongProcesses = new LockFile(poolFolder.resolve("gate.lock"), sharing);
    }

    /**
     * Go in; the caller goes out by {@link #leave} in a {@code finally}.
     *
     * @return false if the deadline passed first; a free gate is entered even then
     * @throws InterruptedException if the thread is interrupted while it waits; it is not inside then
     */
    boolean enter(Deadline deadline) throws InterruptedException {
        if (!inThisJvm.tryLock(deadline.nanosLeft(), TimeUnit.NANOSECONDS)) {
            return false;
        }
        boolean inside = false;
        try {
            inside = lockAmongProcesses(deadline);
            return inside;
        } finally {
            if (!inside) {
                inThisJvm.unlock();
            }
        }
    }

    private boolean lockAmongProcesses(Deadline deadline) throws InterruptedException {
        Backoff backoff = new Backoff(FIRST_PAUSE, LONGEST_PAUSE);
        while (!amongProcesses.tryLock()) {
            if (deadline.hasPassed()) {
                return false;
            }
            LockSupport.parkNanos(this, Math.min(backoff.nextNanos(), deadline.nanosLeft()));
            if (Thread.interrupted()) {
                throw new InterruptedException("interrupted while waiting for " + amongProcesses.path());
            }
        }
        return true;
    }

    void leave() {
        try {
            amongProcesses.unlock();
        } finally {
            inThisJvm.unlock();
        }
    }

    /**
     * Do something inside, for a call that waits for nothing else, on an interrupted thread too.
     *
     * @throws LeaseTimeoutException if somebody blocks the gate for 1 s
     */
    <T> T passing(Supplier<T> work) {
        return Uninterruptibly.await(() -> {
            if (!enter(Deadline.after(PATIENCE))) {
                throw waitedInVain(PATIENCE);
            }
            try {
                return work.get();
            } finally {
                leave();
            }
        });
    }

    /** Do something inside if the gate can be entered within 1 s. */
    void tryPassing(Runnable work) {
        Uninterruptibly.await(() -> {
            boolean inside = enter(Deadline.after(PATIENCE));
            if (inside) {
                try {
                    work.run();
                } finally {
                    leave();
                }
            }
            return inside;
        });
    }

    /** What to tell somebody who waited in vain. */
    LeaseTimeoutException waitedInVain(Duration waited) {
        return new LeaseTimeoutException("waited " + WaitText.of(waited) + " for the gate of the pool, "
                + amongProcesses.path() + ", which a process holds for far longer than the instant it takes to choose"
                + " devices.\nThat process is stopped or hangs: find it with lslocks, and continue or end it.");
    }
}
