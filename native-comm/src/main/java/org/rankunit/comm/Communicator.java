package org.rankunit.comm;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;
import static org.apiguardian.api.API.Status.INTERNAL;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongToIntFunction;
import java.util.function.UnaryOperator;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.rankunit.comm.ContextReader.CommContext;
import org.rankunit.comm.jna.CommFunctions;
import org.rankunit.comm.jna.CommLibrary;
import org.rankunit.comm.jna.load.NativeLibraryException;
import org.rankunit.comm.recorder.DomainOperations;
import org.rankunit.comm.recorder.FlightRecorder;
import org.rankunit.comm.recorder.RecordedOperation.Kind;
import org.rankunit.device.Device;

/**
 * One rank's end of a communicator: a window of memory per rank, readable and writable by all of them, and a
 * barrier.
 *
 * <pre>{@code
 * try (Communicator comm = Communicator.open(config, device)) {
 *     device.copyIn(comm.windowBase(), input, 0, input.length);
 *     comm.barrier();
 *     kernel.launch(output, comm.deviceContext());
 * }
 * }</pre>
 *
 * <p>Threads: one thread at a time may be in a barrier; a second one gets {@link CommError#INVALID_STATE}.
 * {@link #abort}, {@link #setTimeout} and {@link #close} may be called from any thread at any time, even while another thread is in a
 * barrier. The getters are thread-safe, and keep their values after the communicator is closed, when the addresses are no longer
 * valid.
 *
 * <p>Failures are {@link CommException}s. A rank that waits for others is released at once when one of them aborts,
 * dies or leaves, with a {@link CommAbortedException} that names it. After that, and after a time-out, the
 * communicator can only be closed, on every rank. Any use after {@link #close} throws an
 * {@link IllegalStateException}.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class Communicator implements AutoCloseable {

    private final CommunicatorConfig config;
    private final Device device;
    private final CommLibrary library;
    private final CommCalls calls;

    private final ContextReader contexts;

    private final FlightRecorder recorder = CommCalls.newRecorder();

    private final FlightRecorder.Series barriers = new FlightRecorder.Series(Kind.BARRIER, List.of(), 0);

    private final FlightRecorder.Series collectives = new FlightRecorder.Series(Kind.COLLECTIVE, List.of(), 0);

    private final VendorCollectives vendor;

    private final Map<List<Integer>, Integer> domains = new ConcurrentHashMap<>();

    private volatile Duration timeout;

    private volatile @Nullable CommContext context;

    private long deviceContext;

    private long windowBase;

    private long windowSize;

    private Communicator(CommLibrary library, CommunicatorConfig config, Device device, long handle) {
        this.library = library;
        this.config = config;
        this.device = device;
        this.timeout = config.timeout();
        this.calls = new CommCalls(nameOf(config), library, handle);
        this.contexts = new ContextReader(device, !device.knowsWindowsOf(library));
        this.vendor = new VendorCollectives(calls, recorder, collectives, config.rank());
    }

    /**
     * Allocates this rank's window and waits until all other ranks have done the same. On failure, everything is released.
     *
     * @param device this rank's device; close it after the communicator
     * @throws CommException with {@link CommError#NO_LIBRARY} if this version or machine has no library for the platform, or
     *     a foreign library cannot be used, {@link CommError#MISMATCH} if the ranks' settings differ,
     *     {@link CommError#TIMEOUT} if ranks are missing
     */
    public static Communicator open(CommunicatorConfig config, Device device) {
        CommLibrary library = libraryOf(config, device);
        String path = config.rendezvous() instanceof Rendezvous.File file
                ? file.path().toString()
                : CommLibrary.BY_JOIN;
        long handle = library.init(config.rank(), config.worldSize(), device.runtimeId(), device.stream(), path);
        if (handle == 0) {
            throw new CommException(CommError.INIT_FAILED, nameOf(config) + ", init: " + library.lastError());
        }
        Communicator communicator = new Communicator(library, config, device, handle);
        try {
            communicator.bringUp();
            return communicator;
        } catch (Throwable e) {
            communicator.close();
            throw e;
        }
    }

    private static CommLibrary libraryOf(CommunicatorConfig config, Device device) {
        ForeignLibrary foreign = config.library();
        try {
            return foreign == null
                    ? CommLibrary.of(device.platform())
                    : CommLibrary.at(foreign.file(), foreign.initForm().code());
        } catch (NativeLibraryException e) {
            throw new CommException(CommError.NO_LIBRARY, nameOf(config) + ": " + e.getMessage(), e);
        }
    }

    private void bringUp() {
        long[] out = new long[1];
        applyTimeout(config.timeout());
        if (config.rendezvous() instanceof Rendezvous.Relay relay) {
            meet(relay);
        }
        call("bring-up", h -> CommFunctions.comm_alloc_windows(h, config.windowBytes(), out));
        deviceContext = out[0];
        call("window base", h -> CommFunctions.comm_get_local_window_base(h, out));
        windowBase = out[0];
        call("window size", h -> CommFunctions.comm_get_window_size(h, out));
        windowSize = out[0];
        if (!device.knowsWindowsOf(library)) {
            // Before anything copies to a window, not only when views of them are asked for.
            context();
        }
    }

    private void meet(Rendezvous.Relay relay) {
        if (config.rank() == 0) {
            String[] rootInfo = new String[1];
            call("root info", h -> library.rootInfo(h, rootInfo));
            relay.publish(rootInfo[0]);
        } else {
            String rootInfo = relay.await();
            call("join", h -> CommFunctions.comm_join(h, rootInfo));
        }
    }

    /** A library without time-outs may wait forever; the launcher of the ranks has its own deadlines. */
    private void applyTimeout(Duration wanted) {
        if (library.has("comm_set_timeout")) {
            call("set time-out", h -> CommFunctions.comm_set_timeout(h, WaitLimit.millisecondsOf(wanted)));
        }
    }

    private CommContext context() {
        CommContext known = context;
        if (known == null) {
            known = contexts.read(deviceContext, config.worldSize());
            context = known;
        }
        return known;
    }

    public int rank() {
        return config.rank();
    }

    public int worldSize() {
        return config.worldSize();
    }

    /** Device address of the {@code CommContext} that kernels take; see {@code rankunit/kernel.h}. */
    public long deviceContext() {
        return deviceContext;
    }

    /** Device address of this rank's own window. Addresses of the same window differ between ranks. */
    public long windowBase() {
        return windowBase;
    }

    /** Actual size of each window in bytes: the requested size, rounded up by the backend. */
    public long windowSize() {
        return windowSize;
    }

    /** A description of how the windows were allocated, for people; empty if the library does not provide one. */
    public String describe() {
        String[] text = {""};
        if (library.has("comm_describe")) {
            call("describe", h -> library.describe(h, text));
        }
        return text[0];
    }

    /** The window of rank {@code rank}, which may be this rank, as a checked buffer. */
    public WindowView window(int rank) {
        if (rank < 0 || rank >= config.worldSize()) {
            throw new IllegalArgumentException(
                    "rank = " + rank + " is not in [0, worldSize = " + config.worldSize() + ")");
        }
        requireOpen();
        return new WindowView(
                device,
                this::requireOpen,
                "the window of rank " + rank,
                context().windows().get(rank),
                windowSize);
    }

    /**
     * Creates a domain of some ranks, with its own zero-filled windows. All its ranks call this with the same arguments, in the
     * same order if there are several domains; other ranks are not involved. Waits for them like a barrier.
     *
     * @param windowBytes requested size of each window, at least 1
     * @param ranks distinct ranks of this communicator, including this one; the domain numbers them in this order
     */
    public Domain domain(long windowBytes, int... ranks) {
        int[] members = ranks.clone();
        int place = placeIn(members);
        if (windowBytes < 1) {
            throw new IllegalArgumentException("windowBytes = " + windowBytes + " is less than 1");
        }
        int number = domains.merge(Arrays.stream(members).boxed().toList(), 1, Integer::sum);
        DomainOperations operations = new DomainOperations(recorder, members, number);
        return Domain.withWindows(
                calls, contexts, members, place, windowBytes, idOf(members, number), device, operations);
    }

    /**
     * Creates a domain of some ranks over a part of this communicator's windows. Does not wait, and the other ranks need not call
     * it. Such a domain has no barrier.
     *
     * @param offset of the part in each window, in bytes
     * @param bytes size of the part
     * @param ranks as for {@link #domain}
     */
    public Domain derive(long offset, long bytes, int... ranks) {
        int[] members = ranks.clone();
        int place = placeIn(members);
        if (offset < 0 || bytes < 1) {
            throw new IllegalArgumentException(
                    "offset = " + offset + ", bytes = " + bytes + ": not a part of a window");
        }
        return Domain.overPart(calls, contexts, members, place, offset, bytes, device);
    }

    private int placeIn(int[] ranks) {
        for (int place = 0; place < ranks.length; place++) {
            if (ranks[place] == config.rank()) {
                return place;
            }
        }
        throw new IllegalArgumentException(
                "this is rank " + config.rank() + ", which is not among the ranks " + Arrays.toString(ranks));
    }

    /** The same on all ranks of a domain: each has created the same number of domains of these ranks in this order before. */
    private static long idOf(int[] ranks, int number) {
        long id = number;
        for (int rank : ranks) {
            id = id * 0x9E3779B97F4A7C15L + rank + 1;
        }
        return id;
    }

    /**
     * Prepares the tasks of this rank, and waits until all ranks have prepared theirs.
     *
     * @param call for people, the same on all ranks
     * @param schedule a digest of the tasks of all ranks, the same on all of them
     */
    @API(status = INTERNAL, since = "0.1")
    public TaskPlan plan(String call, long schedule, TaskPlan.Setting setting, TaskPlan.Tasks tasks) {
        return TaskPlan.of(calls, run -> recorder.record(collectives, 0, run), call, schedule, setting, tasks);
    }

    /** The collectives of the vendor's own library among all ranks, to compare with. */
    @API(status = INTERNAL, since = "0.1")
    public VendorCollectives vendorCollectives() {
        return vendor;
    }

    /** The last operations of this rank. Any thread may read it at any time, even after the communicator is closed. */
    public FlightRecorder recorder() {
        return recorder;
    }

    /**
     * Sets the time-out of all later waits that have no deadline of their own. The initial value is that of the
     * configuration.
     *
     * @param timeout in (0, 31 days]
     */
    public void setTimeout(Duration timeout) {
        WaitLimit.requireValid("timeout", timeout);
        this.timeout = timeout;
        applyTimeout(timeout);
    }

    /**
     * Waits until every rank has entered the barrier as often as this one, at most for the communicator's time-out.
     * Everything that a rank wrote to any window before the barrier is visible to all ranks after it.
     */
    public void barrier() {
        recorder.record(barriers, 0, () -> call("barrier", CommFunctions::comm_barrier));
    }

    /**
     * Waits like {@link #barrier()}, with its own deadline. Throws {@link CommError#NOT_SUPPORTED} if the library has no
     * time-outs.
     *
     * @param deadline in (0, 31 days]
     */
    public void barrier(Duration deadline) {
        WaitLimit.requireValid("deadline", deadline);
        recorder.record(
                barriers,
                0,
                true,
                () -> call("barrier", h -> {
                    int refused = CommFunctions.comm_set_timeout(h, WaitLimit.millisecondsOf(deadline));
                    if (refused != 0) {
                        return refused;
                    }
                    int status = CommFunctions.comm_barrier(h);
                    CommFunctions.comm_set_timeout(h, WaitLimit.millisecondsOf(timeout));
                    return status;
                }));
    }

    /**
     * Releases every rank that waits in this communicator, now and later, with a {@link CommAbortedException}. The
     * first call on any rank determines rank and reason; later calls have no effect. Has no effect either if the library has no
     * {@code comm_abort}: its ranks can only be killed.
     *
     * @param failedRank the rank to blame, in [0, {@link #worldSize()})
     * @param reason truncated to 400 bytes
     */
    public void abort(int failedRank, String reason) {
        if (isAbortable()) {
            String signed = calls.signed(reason);
            call("abort", h -> CommFunctions.comm_abort(h, failedRank, signed));
            calls.aborts("rank " + failedRank + " is to blame: " + signed);
        }
    }

    /**
     * Lets this function form the reasons of all aborts from here on. It is called on the thread that aborts, so it can add who that
     * is. It must not throw.
     */
    public void signAborts(UnaryOperator<String> signed) {
        calls.sign(signed);
    }

    /** Whether {@link #abort} has an effect: a foreign library may lack {@code comm_abort}. */
    public boolean isAbortable() {
        return library.has("comm_abort");
    }

    /**
     * Why this rank aborted the communicator: one of its waits failed, or {@link #abort} was called here. Empty if it did not,
     * even if another rank did. Does not wait.
     */
    public Optional<String> abortedHere() {
        Optional<String> abort = calls.abort();
        boolean isKnown = abort.isPresent() && library.has("comm_aborted_by");
        return isKnown && calls.handle().use(CommFunctions::comm_aborted_by) < 0 ? Optional.empty() : abort;
    }

    /** The rank because of which this communicator was aborted; empty if it was not, or its library does not say. */
    public OptionalInt abortedBy() {
        int rank = library.has("comm_aborted_by") ? calls.handle().use(CommFunctions::comm_aborted_by) : -1;
        return rank < 0 ? OptionalInt.empty() : OptionalInt.of(rank);
    }

    /** Whether {@link #close} was called. */
    public boolean isClosed() {
        return calls.handle().isClosed();
    }

    /**
     * Leaves the communicator without waiting for other ranks. If a thread of this rank is in a barrier, it is released,
     * and all other ranks with it. Further calls have no effect.
     */
    @Override
    public void close() {
        calls.handle()
                .close(
                        h -> CommFunctions.comm_abort(
                                h, rank(), nameOf(config) + " closed its communicator while it was inside a call"),
                        h -> {
                            contexts.disownAll();
                            CommFunctions.comm_destroy(h);
                        });
    }

    private void call(String what, LongToIntFunction function) {
        calls.call(what, function);
    }

    private void requireOpen() {
        if (isClosed()) {
            throw new IllegalStateException("the communicator of " + nameOf(config) + " is closed");
        }
    }

    private static String nameOf(CommunicatorConfig config) {
        return "rank " + config.rank() + " of " + config.worldSize();
    }

    @Override
    public String toString() {
        return "Communicator[" + nameOf(config) + ", " + device.platform() + "]";
    }
}
