package org.rankunit.pool.lock;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apiguardian.api.API;

/**
 * The mutex of a pool: only its holder, one thread among all processes, may try device locks.
 *
 * <p>So two processes never each hold half of what the other needs, and checking the locks cannot make another attempt
 * fail. It is held for well under a millisecond and never while waiting for a device; giving devices back does not need
 * it. Its file keeps the name {@code gate.lock}, so that all versions exclude each other. Thread-safe.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class PoolMutex {

    private static final long FIRST_PAUSE = TimeUnit.MICROSECONDS.toNanos(30);
    private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(2);

    /**
     * How long calls that do not otherwise wait will wait for the mutex, which is normally held for under a
     * millisecond.
     */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final ReentrantLock inThisJvm = new ReentrantLock(true);
    private final LockFile amongProcesses;

    PoolMutex(Path poolFolder, Sharing sharing) {
        amongProcesses = new LockFile(poolFolder.resolve("gate.lock"), sharing);
    }

    /** The lock file. */
    public Path path() {
        return amongProcesses.path();
    }

    /**
     * Lock the mutex; the caller must call {@link #unlock} in a {@code finally} block.
     *
     * @return false if the deadline passed first; a free mutex is locked even then
     * @throws InterruptedException if the thread is interrupted while it waits; it then does not hold the mutex
     */
    public boolean tryLock(Deadline deadline) throws InterruptedException {
        if (!inThisJvm.tryLock(deadline.nanosLeft(), TimeUnit.NANOSECONDS)) {
            return false;
        }
        boolean locked = false;
        try {
            locked = lockAmongProcesses(deadline);
            return locked;
        } finally {
            if (!locked) {
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

    public void unlock() {
        try {
            amongProcesses.unlock();
        } finally {
            inThisJvm.unlock();
        }
    }

    /**
     * Run {@code work} while holding the mutex, even on an interrupted thread. For calls that wait for nothing else.
     *
     * @param timedOut makes the exception to throw if another holder keeps the mutex for 1 s; receives the time waited
     */
    public <T> T holding(Supplier<T> work, Function<Duration, ? extends RuntimeException> timedOut) {
        return Uninterruptibly.await(() -> {
            if (!tryLock(Deadline.after(PATIENCE))) {
                throw timedOut.apply(PATIENCE);
            }
            try {
                return work.get();
            } finally {
                unlock();
            }
        });
    }

    /** Run {@code work} while holding the mutex, if it can be locked within 1 s. */
    public void tryHolding(Runnable work) {
        Uninterruptibly.await(() -> {
            boolean locked = tryLock(Deadline.after(PATIENCE));
            if (locked) {
                try {
                    work.run();
                } finally {
                    unlock();
                }
            }
            return locked;
        });
    }
}
