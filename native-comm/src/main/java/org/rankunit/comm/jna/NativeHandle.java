package org.rankunit.comm.jna;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import org.apiguardian.api.API;

/**
 * Keeps a native handle from being used after it was released, or released while it is used: either would end the
 * whole process. Any number of threads may use it at a time.
 *
 * @since 0.1
 */
@API(status = INTERNAL, since = "0.1")
public final class NativeHandle {

    /** Added to the number of uses when this is closed. */
    private static final int CLOSED = Integer.MIN_VALUE;

    private final String owner;

    private final long handle;

    /** How many threads use the handle. Only counted, with no lock: that is a good part of what a short call costs. */
    private final AtomicInteger uses = new AtomicInteger();

    /** Where whoever closes waits for the last use to end. */
    private final Object ends = new Object();

    /**
     * @param owner whom an error names: "device 0"
     * @param handle not 0
     */
    public NativeHandle(String owner, long handle) {
        this.owner = owner;
        this.handle = handle;
    }

    public boolean isClosed() {
        return uses.get() < 0;
    }

    /**
     * Begins a use, which {@link #release} must end.
     *
     * @return the handle
     * @throws IllegalStateException if it has been released; then there is nothing to end
     */
    public long acquire() {
        if (uses.getAndIncrement() < 0) {
            release();
            throw new IllegalStateException(owner + " is closed");
        }
        return handle;
    }

    /** Ends a use. */
    public void release() {
        if (uses.decrementAndGet() == CLOSED) {
            synchronized (ends) {
                ends.notifyAll();
            }
        }
    }

    /** Runs {@code action} with the handle, or throws {@link IllegalStateException} if that has been released. */
    public <T> T use(LongFunction<T> action) {
        long acquired = acquire();
        try {
            return action.apply(acquired);
        } finally {
            release();
        }
    }

    /**
     * Refuses new uses, waits for those in progress, and runs {@code release}; does nothing when called again.
     *
     * @param interrupt makes uses in progress end; called only if there are any
     */
    public void close(LongConsumer interrupt, LongConsumer release) {
        int before = uses.getAndUpdate(count -> count < 0 ? count : count + CLOSED);
        if (before < 0) {
            return;
        }
        if (before > 0) {
            interrupt.accept(handle);
        }
        awaitEnd();
        release.accept(handle);
    }

    /** A thread that is interrupted waits all the same, since what it would leave behind is in use. */
    private void awaitEnd() {
        boolean interrupted = false;
        synchronized (ends) {
            while (uses.get() != CLOSED) {
                try {
                    ends.wait();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
