package org.rankunit.comm;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.time.Duration;
import java.util.List;
import java.util.function.LongToIntFunction;
import org.apiguardian.api.API;
import org.rankunit.comm.RecordedOperation.Kind;
import org.rankunit.comm.jna.CommLibrary;
import org.rankunit.comm.jna.NativeHandle;
import org.rankunit.comm.jna.NativeLibraryException;

/**
 * One rank's end of a communicator: a window of memory per rank, readable and writable by all of them, and a
 * barrier.
 *
 * <pre>{@code
 * try (Communicator comm = Communicator.open(config)) {
 *     device.copyIn(comm.windowBase(), input, 0, input.length);
 *     comm.barrier();
 *     kernel.launch(output, comm.deviceContext());
 * }
 * }</pre>
 *
 * <p>Threads: barriers are entered by one thread at a time; a second one gets {@link CommError#INVALID_STATE}.
 * {@link #abort}, {@link #setTimeout} and {@link #close} may be called from any thread at any time, also while another one is inside a
 * barrier. The getters are always safe, and keep their values after the communicator is closed; its addresses are
 * of no use then.
 *
 * <p>Failures are {@link CommException}s. A rank that waits for others is released at once when one of them aborts,
 * dies or leaves, with a {@link CommAbortedException} that names it. After that, and after a time-out, the
 * communicator is of no use on any rank but to be closed. Any use after {@link #close} is an
 * {@link IllegalStateException}.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class Communicator implements AutoCloseable {

    private final CommLibrary library;

    private final CommunicatorConfig config;

    private final NativeHandle handle;

    private final FlightRecorder recorder = new FlightRecorder();

    private volatile Duration timeout;

    private long deviceContext;

    private long windowBase;

    private long windowSize;

    private Communicator(CommLibrary library, CommunicatorConfig config, long handle) {
        this.library = library;
        this.config = config;
        this.timeout = config.timeout();
        this.handle = new NativeHandle("the communicator of " + nameOf(config), handle);
    }

    /**
     * Makes this rank's window and waits for all other ranks to do the same. If that fails, nothing of it is left.
     *
     * @throws CommException with {@link CommError#NO_LIBRARY} if this version or machine has none for the platform,
     *     {@link CommError#MISMATCH} if the ranks' settings differ, {@link CommError#TIMEOUT} if ranks are missing
     */
    public static Communicator open(CommunicatorConfig config) {
        CommLibrary library;
        try {
            library = CommLibrary.of(config.platform());
        } catch (NativeLibraryException e) {
            throw new CommException(CommError.NO_LIBRARY, nameOf(config) + ": " + e.getMessage(), e);
        }
        long handle = library.init(
                config.rank(), config.rankCount(), config.rootInfo().toString());
        if (handle == 0) {
            throw new CommException(CommError.INIT_FAILED, nameOf(config) + ", init: " + library.lastError());
        }
        Communicator communicator = new Communicator(library, config, handle);
        try {
            communicator.bringUp();
            return communicator;
        } catch (Throwable e) {
            communicator.close();
            throw e;
        }
    }

    private void bringUp() {
        long[] out = new long[1];
        call("set time-out", h -> library.setTimeout(h, WaitLimit.millisecondsOf(config.timeout())));
        call("bring-up", h -> library.allocateWindows(h, config.windowBytes(), out));
        deviceContext = out[0];
        call("window base", h -> library.localWindowBase(h, out));
        windowBase = out[0];
        call("window size", h -> library.windowSize(h, out));
        windowSize = out[0];
    }

    public int rank() {
        return config.rank();
    }

    public int rankCount() {
        return config.rankCount();
    }

    /** Device address of the {@code CommContext} that kernels take; see {@code rankunit/kernel.h}. */
    public long deviceContext() {
        return deviceContext;
    }

    /** Device address of this rank's own window. Addresses of the same window differ between ranks. */
    public long windowBase() {
        return windowBase;
    }

    /** Actual size of each window in bytes: what was asked for, rounded up by the backend. */
    public long windowSize() {
        return windowSize;
    }

    /** The last operations of this rank; to be read by any thread at any time, also after the communicator is closed. */
    public FlightRecorder recorder() {
        return recorder;
    }

    /**
     * Sets how long every wait that starts later may take, where it has no deadline of its own. At first it is the time-out
     * of the configuration.
     *
     * @param timeout in (0, 31 days]
     */
    public void setTimeout(Duration timeout) {
        WaitLimit.requireValid("timeout", timeout);
        this.timeout = timeout;
        call("set time-out", h -> library.setTimeout(h, WaitLimit.millisecondsOf(timeout)));
    }

    /**
     * Waits until every rank has entered its barrier as often as this one, at most for the communicator's time-out.
     * What a rank wrote to any window before it is visible to all ranks after it.
     */
    public void barrier() {
        recorder.record(Kind.BARRIER, 0, List.of(), () -> call("barrier", library::barrier));
    }

    /**
     * Waits as {@link #barrier()} does, with a deadline of its own.
     *
     * @param deadline in (0, 31 days]
     */
    public void barrier(Duration deadline) {
        WaitLimit.requireValid("deadline", deadline);
        recorder.record(
                Kind.BARRIER,
                0,
                List.of(),
                () -> call("barrier", h -> {
                    library.setTimeout(h, WaitLimit.millisecondsOf(deadline));
                    int status = library.barrier(h);
                    library.setTimeout(h, WaitLimit.millisecondsOf(timeout));
                    return status;
                }));
    }

    /**
     * Releases every rank that waits in this communicator, now and later, with a {@link CommAbortedException}. The
     * first call on any rank decides on rank and reason; later ones change nothing.
     *
     * @param failedRank the rank that is to blame, in [0, {@link #rankCount()})
     * @param reason cut to 400 bytes
     */
    public void abort(int failedRank, String reason) {
        call("abort", h -> library.abort(h, failedRank, reason));
    }

    /**
     * Leaves the communicator; waits for no other rank. A thread of this rank that is inside a barrier is released,
     * and with it all other ranks. Does nothing when called again.
     */
    @Override
    public void close() {
        handle.close(
                h -> library.abort(h, rank(), nameOf(config) + " closed its communicator while it was inside a call"),
                library::destroy);
    }

    private void call(String what, LongToIntFunction function) {
        handle.use(h -> {
            int status = function.applyAsInt(h);
            if (status != 0) {
                throw failure(what, h, CommError.of(status));
            }
            return status;
        });
    }

    private CommException failure(String what, long h, CommError error) {
        // First of all: the text is the one of the last failure on this thread.
        String message = nameOf(config) + ", " + what + ": " + library.lastError();
        return switch (error) {
            case ABORTED, PEER_DIED, PEER_LEFT -> new CommAbortedException(error, library.abortedBy(h), message);
            default -> new CommException(error, message);
        };
    }

    private static String nameOf(CommunicatorConfig config) {
        return "rank " + config.rank() + " of " + config.rankCount();
    }

    @Override
    public String toString() {
        return "Communicator[" + nameOf(config) + ", " + config.platform() + "]";
    }
}
