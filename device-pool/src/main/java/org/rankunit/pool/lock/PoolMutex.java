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
 * The mutex of a pool: device locks are tried by its holder only, which is one thread among all processes.
 *
 * <p>So two processes never hold half of what the other needs, and a look at the locks cannot make somebody else's
 * attempt fail. It is held for well under a millisecond and never while waiting for a device; devices are given back
 * without it. Its file keeps the name {@code gate.lock}, so that all versions exclude each other. Thread-safe.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class PoolMutex {

    private static final long FIRST_PAUSE = TimeUnit.MICROSECONDS.toNanos(30);
    private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(2);

    /** How long calls that are not meant to wait do so; the mutex is held for about a millisecond. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final ReentrantLock inThisJvm = new ReentrantLock(true);
    private final LockFile amongProcesses;

    PoolMutex(Path poolFolder, Sharing sharing) {
        amongProcesses = new LockFile(poolFolder.resolve("gate.lock"), sharing);
    }

    /** The file whose lock this is. */
    public Path path() {
        return amongProcesses.path();
    }

    /**
     * Lock the mutex; the caller calls {@link #unlock} in a {@code finally}.
     *
     * @return false if the deadline passed first; a free mutex is locked even then
     * @throws InterruptedException if the thread is interrupted while it waits; it does not hold the mutex then
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
     * Do something while holding the mutex, for a call that waits for nothing else, on an interrupted thread too.
     *
     * @param timedOut what to throw if somebody else holds the mutex for 1 s, given the time waited
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

    /** Do something while holding the mutex, if it can be locked within 1 s. */
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
