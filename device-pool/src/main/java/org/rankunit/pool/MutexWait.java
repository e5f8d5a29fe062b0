package org.rankunit.pool;

import java.time.Duration;
import java.util.function.Supplier;
import org.rankunit.pool.lock.Deadline;
import org.rankunit.pool.lock.PoolMutex;

/**
 * Locks a pool's mutex for calls of the public API, and reports a failed wait as an exception of that API. Stateless.
 */
final class MutexWait {

    private MutexWait() {}

    /**
     * Run {@code work} while holding the mutex, even on an interrupted thread.
     *
     * @throws LeaseTimeoutException if another process holds the mutex for 1 s
     */
    static <T> T holding(PoolMutex mutex, Supplier<T> work) {
        return mutex.holding(work, waited -> timedOut(mutex, waited));
    }

    static LeaseTimeoutException timedOut(PoolMutex mutex, Duration waited) {
        return new LeaseTimeoutException("waited " + Deadline.inWords(waited) + " for the pool's lock, " + mutex.path()
                + ", which a process holds for far longer than the instant it takes to choose"
                + " devices.\nThat process is stopped or hangs: find it with lslocks, and resume or end it.");
    }
}
