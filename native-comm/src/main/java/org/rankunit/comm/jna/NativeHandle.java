package org.rankunit.comm.jna;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import org.apiguardian.api.API;

/**
 * Prevents use of a native handle after its release, and its release while it is in use: either would crash the whole
 * process. Any number of threads may use a handle at the same time.
 *
 * @since 0.1
 */
@API(status = INTERNAL, since = "0.1")
public final class NativeHandle {

    /** Added to the number of uses on close. */
    private static final int CLOSED = Integer.MIN_VALUE;

    private final String owner;

    private final long handle;

    /** Number of uses in progress. A counter without a lock, since this is a good part of the cost of a short call. */
    private final AtomicInteger uses = new AtomicInteger();

    /** On this monitor, {@link #close} waits for the last use to end. */
    private final Object ends = new Object();

    /**
     * @param owner name for error messages, such as "device 0"
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
     * Begins a use; call {@link #release} to end it.
     *
     * @return the handle
     * @throws IllegalStateException if the handle is closed; no use has then begun
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

    /** Runs {@code action} with the handle, or throws {@link IllegalStateException} if it is closed. */
    public <T> T use(LongFunction<T> action) {
        long acquired = acquire();
        try {
            return action.apply(acquired);
        } finally {
            release();
        }
    }

    /**
     * Rejects new uses, waits for those in progress, and then runs {@code release}; further calls do nothing.
     *
     * @param interrupt makes uses in progress end; called only if there are some
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

    /** Waits even on an interrupted thread, since the handle is still in use. */
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
