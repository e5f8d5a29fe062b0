package org.rankunit.comm;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Arrays;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.rankunit.comm.ContextReader.CommContext;
import org.rankunit.comm.jna.CommFunctions;
import org.rankunit.comm.recorder.DomainOperations;
import org.rankunit.device.Device;

/**
 * A subset of the ranks of a {@link Communicator}, with its own numbering, and with its own windows or a part of the communicator's.
 *
 * <p>Kernels take its {@link #deviceContext()} like that of the communicator. Ranks are numbered in the order in which they were
 * given. Threads: as for {@link Communicator}; the domain's barrier counts as one of its calls.
 *
 * @since 0.1
 * @see Communicator#domain
 * @see Communicator#derive
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class Domain implements AutoCloseable {

    private final CommCalls calls;
    private final ContextReader contexts;
    private final Device device;
    private final int[] ranks;
    private final long deviceContext;
    private final CommContext context;
    private final long id;

    /** Of a domain with its own windows; other domains never wait. */
    private final @Nullable DomainOperations operations;

    private volatile boolean closed;

    private Domain(
            CommCalls calls,
            ContextReader contexts,
            Device device,
            int[] ranks,
            long deviceContext,
            CommContext context,
            long id,
            @Nullable DomainOperations operations) {
        this.calls = calls;
        this.contexts = contexts;
        this.device = device;
        this.ranks = ranks;
        this.deviceContext = deviceContext;
        this.context = context;
        this.id = id;
        this.operations = operations;
    }

    static Domain withWindows(
            CommCalls calls,
            ContextReader reader,
            int[] ranks,
            int place,
            long bytes,
            long id,
            Device device,
            DomainOperations operations) {
        long[] context = new long[1];
        long[] base = new long[1];
        operations.allocate(
                bytes,
                () -> calls.call(
                        "domain of ranks " + Arrays.toString(ranks),
                        h -> CommFunctions.comm_alloc_domain_windows(
                                h, id, ranks, ranks.length, place, bytes, context, base)));
        CommContext read = reader.read(context[0], ranks.length);
        return new Domain(calls, reader, device, ranks, context[0], read, id, operations);
    }

    static Domain overPart(
            CommCalls calls, ContextReader reader, int[] ranks, int place, long offset, long bytes, Device device) {
        long[] context = new long[1];
        calls.call(
                "derived context of ranks " + Arrays.toString(ranks),
                h -> CommFunctions.comm_derive_context(h, ranks, ranks.length, place, offset, bytes, context));
        CommContext read = reader.readPart(context[0], ranks.length);
        return new Domain(calls, reader, device, ranks, context[0], read, 0, null);
    }

    /** Get this rank's number in the domain. */
    public int rank() {
        return context.rankId();
    }

    /** Get the number of ranks of the domain. */
    public int worldSize() {
        return context.worldSize();
    }

    /** Get the number in the communicator of the domain's rank {@code rank}. */
    public int communicatorRank(int rank) {
        return ranks[requireRank(rank)];
    }

    /** Get the device address of the {@code CommContext} that kernels take. */
    public long deviceContext() {
        return deviceContext;
    }

    /** Get the actual size of each window in bytes. */
    public long windowSize() {
        return context.windowSize();
    }

    /** Get a view of the window of the domain's rank {@code rank}. */
    public WindowView window(int rank) {
        requireOpen();
        return new WindowView(
                device,
                this::requireOpen,
                "the window of rank " + requireRank(rank) + " of " + this,
                context.windows().get(rank),
                windowSize());
    }

    /**
     * Wait until every rank of the domain has called this as often as this rank; visibility as in {@link Communicator#barrier()}.
     *
     * @throws CommException with {@link CommError#NOT_SUPPORTED} if the domain does not have its own windows
     */
    public void barrier() {
        requireOpen();
        if (operations == null) {
            throw new CommException(
                    CommError.NOT_SUPPORTED,
                    this
                            + " lies over a part of the communicator's windows and has no barrier; use the communicator's");
        }
        operations.barrier(() -> calls.call("barrier of " + this, h -> CommFunctions.comm_domain_barrier(h, id)));
    }

    /**
     * Release the windows, once all ranks of the domain have called this. Closing a derived domain affects this object only. Further
     * calls have no effect, and neither has a call after the communicator was closed, which released the windows.
     */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (calls.handle().isClosed()) {
            return;
        }
        if (operations != null) {
            contexts.forget(deviceContext, context);
            operations.release(() -> calls.call(
                    "release of " + this, h -> CommFunctions.comm_release_domain_windows(h, id, ranks.length, rank())));
        }
    }

    private void requireOpen() {
        if (closed || calls.handle().isClosed()) {
            throw new IllegalStateException(this + " is closed");
        }
    }

    private int requireRank(int rank) {
        if (rank < 0 || rank >= ranks.length) {
            throw new IllegalArgumentException(
                    "rank = " + rank + " is not in [0, " + ranks.length + "), the ranks of " + this);
        }
        return rank;
    }

    @Override
    public String toString() {
        return "the domain of ranks " + Arrays.toString(ranks);
    }
}
