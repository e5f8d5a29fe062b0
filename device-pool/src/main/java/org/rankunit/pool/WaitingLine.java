package org.rankunit.pool;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The threads of this JVM that wait for devices of one platform, served in the order they came. Only the first of them
 * tries for devices; so a request for many devices is not overtaken for ever by requests for few.
 *
 * <p>Thread-safe.
 */
final class WaitingLine {

    /** A place in the line. */
    static final class Place {
        private Place() {}
    }

    private final ReentrantLock mutex = new ReentrantLock();
    private final Condition changed = mutex.newCondition();
    private final Deque<Place> waiting = new ArrayDeque<>();
    private long releases;

    int length() {
        mutex.lock();
        try {
            return waiting.size();
        } finally {
            mutex.unlock();
        }
    }

    /** Number of leases given back in this JVM so far. */
    long releases() {
        mutex.lock();
        try {
            return releases;
        } finally {
            mutex.unlock();
        }
    }

    /** Stand at the end; the caller goes by {@link #leave} in a {@code finally}. */
    Place join() {
        mutex.lock();
        try {
            Place place = new Place();
            waiting.addLast(place);
            return place;
        } finally {
            mutex.unlock();
        }
    }

    void leave(Place place) {
        mutex.lock();
        try {
            waiting.remove(place);
            changed.signalAll();
        } finally {
            mutex.unlock();
        }
    }

    /** A lease of this JVM was given back. */
    void released() {
        mutex.lock();
        try {
            releases++;
            changed.signalAll();
        } finally {
            mutex.unlock();
        }
    }

    /** Wait until {@code place} is the first; false if the deadline passed before it was. */
    boolean awaitTurn(Place place, Deadline deadline) throws InterruptedException {
        mutex.lockInterruptibly();
        try {
            while (waiting.peekFirst() != place) {
                long left = deadline.nanosLeft();
                if (left == 0) {
                    return false;
                }
                changed.await(left, TimeUnit.NANOSECONDS);
            }
            return true;
        } finally {
            mutex.unlock();
        }
    }

    /** Wait until a lease of this JVM has been given back after the first {@code seen}, for {@code nanos} at most. */
    void awaitRelease(long seen, long nanos) throws InterruptedException {
        mutex.lockInterruptibly();
        try {
            long left = nanos;
            while (releases == seen && left > 0) {
                left = changed.awaitNanos(left);
            }
        } finally {
            mutex.unlock();
        }
    }
}
