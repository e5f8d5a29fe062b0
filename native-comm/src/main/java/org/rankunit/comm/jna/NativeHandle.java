package org.rankunit.comm.jna;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.concurrent.locks.ReentrantReadWriteLock;
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

    private final String owner;

    private final long handle;

    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();

    private volatile boolean closed;

    /**
     * @param owner whom an error names: "device 0"
     * @param handle not 0
     */
    public NativeHandle(String owner, long handle) {
        this.owner = owner;
        this.handle = handle;
    }

    /** Runs {@code action} with the handle, or throws {@link IllegalStateException} if that has been released. */
    public <T> T use(LongFunction<T> action) {
        lock.readLock().lock();
        try {
            if (closed) {
                throw new IllegalStateException(owner + " is closed");
            }
            return action.apply(handle);
        } finally {
            lock.readLock().unlock();
        }
    }

    public boolean isClosed() {
        return closed;
    }

    /**
     * Refuses new uses, waits for those in progress, and runs {@code release}; does nothing when called again.
     *
     * @param interrupt makes uses in progress end; called only if there are any
     */
    public void close(LongConsumer interrupt, LongConsumer release) {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        // A use either has the lock by now, or will see that this is closed.
        if (lock.getReadLockCount() > 0) {
            interrupt.accept(handle);
        }
        lock.writeLock().lock();
        try {
            release.accept(handle);
        } finally {
            lock.writeLock().unlock();
        }
    }
}
