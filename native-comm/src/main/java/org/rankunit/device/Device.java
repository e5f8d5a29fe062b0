package org.rankunit.device;

import static java.util.Objects.checkFromIndexSize;
import static org.apiguardian.api.API.Status.EXPERIMENTAL;
import static org.apiguardian.api.API.Status.INTERNAL;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongToIntFunction;
import java.util.function.ToIntBiFunction;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.rankunit.comm.jna.CommLibrary;
import org.rankunit.comm.jna.DeviceFunctions;
import org.rankunit.comm.jna.DeviceLibrary;
import org.rankunit.comm.jna.NativeHandle;
import org.rankunit.comm.jna.NativeText;
import org.rankunit.comm.jna.StreamFunctions;
import org.rankunit.comm.jna.load.NativeLibraryException;
import org.rankunit.comm.recorder.RecordedPlace;
import org.rankunit.device.running.LateKernel;
import org.rankunit.device.running.RunningKernels;
import org.rankunit.device.running.RunningWatch;

/**
 * A device. It owns the memory and the kernels that are created through it.
 *
 * <p>Addresses may point anywhere into memory of the device, or into a window of a
 * {@link org.rankunit.comm.Communicator}; any other address causes a {@link DeviceException}.
 *
 * <p>Threads: all methods may be called from any thread. {@link #close} waits for calls in progress; any use after that
 * throws {@link IllegalStateException}.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class Device implements AutoCloseable {

    /** {@code DEVICE_WORKS} of {@code stream.h}. */
    private static final int WORKS = 1;

    private static final List<DeviceActivity.State> STATES = List.of(DeviceActivity.State.values());

    /** {@code DEVICE_NOT_SUPPORTED} of {@code device.h}. */
    private static final int NOT_SUPPORTED = 7;

    /** {@code DEVICE_MARK_TEST_BEGIN} of {@code device.h}. */
    private static final int TEST_BEGIN = 1;

    private static final int TEST_END = 2;

    private static final int TEST_BEGIN_IF_USED = 3;

    /** The device that records what happens in this process; its record has all devices of the same library. */
    private static volatile @Nullable Device recording;

    private final DeviceLibrary library;

    private final String platform;

    private final int id;

    private final int runtimeId;

    private final NativeHandle handle;

    private final StagingBuffer staging;

    private volatile @Nullable KernelWatch watch;

    private volatile Duration waitTimeout = Duration.ofMinutes(2);

    private Device(DeviceLibrary library, String platform, int id, int runtimeId, long handle) {
        this.library = library;
        this.platform = platform;
        this.id = id;
        this.runtimeId = runtimeId;
        this.handle = new NativeHandle("device " + id + " (" + platform + ")", handle);
        this.staging = new StagingBuffer();
    }

    /**
     * Opens device {@code id} of {@code platform}.
     *
     * @throws DeviceException if this version or machine has no library for the platform, or no such device
     */
    public static Device open(String platform, int id) {
        return open(platform, id, id);
    }

    /**
     * Opens device {@code id} of {@code platform}, which the vendor's runtime in this process knows by another number.
     *
     * @param runtimeId the runtime's number for the device, counted from 0 among the devices that the runtime sees
     * @throws DeviceException as {@link #open(String, int)}
     */
    public static Device open(String platform, int id, int runtimeId) {
        String name = "device " + id + " (" + platform + ")";
        DeviceLibrary library;
        try {
            library = DeviceLibrary.of(platform);
        } catch (NativeLibraryException e) {
            throw new DeviceException(name + ": " + e.getMessage(), e);
        }
        long[] out = new long[1];
        int status = library.open(runtimeId, out);
        if (status != 0) {
            throw new DeviceException(status, name + ", open: " + library.lastError());
        }
        Device device = new Device(library, platform, id, runtimeId, out[0]);
        if (device.isSimulated()) {
            device.call("set platform", h -> DeviceFunctions.device_set_platform(h, platform));
        }
        return device;
    }

    public String platform() {
        return platform;
    }

    /** Whether this is a device of the simulator. */
    public boolean isSimulated() {
        return DeviceLibrary.isSimulator(platform);
    }

    public int id() {
        return id;
    }

    /** The number that the vendor's runtime in this process uses for the device. */
    public int runtimeId() {
        return runtimeId;
    }

    /** Allocates memory with undefined contents, aligned to at least 64 bytes; returns its address. */
    public long allocate(long bytes) {
        requireNotNegative("bytes", bytes);
        long[] out = new long[1];
        callWithPlace("allocate", h -> DeviceFunctions.device_malloc(h, bytes, out));
        return out[0];
    }

    /** Frees memory at an address that {@link #allocate} returned. */
    public void free(long address) {
        callWithPlace("free", h -> DeviceFunctions.device_free(h, address));
    }

    public void zero(long address, long bytes) {
        requireNotNegative("bytes", bytes);
        callWithPlace("zero", h -> DeviceFunctions.device_zero(h, address, bytes));
    }

    /** Copies {@code length} bytes of {@code source}, starting at {@code offset}, to the device. */
    public void copyIn(long address, byte[] source, int offset, int length) {
        checkFromIndexSize(offset, length, source.length);
        copyIn(address, ByteBuffer.wrap(source, offset, length));
    }

    /** Copies what is between the position and the limit of {@code source}, which stay as they are, to the device. */
    public void copyIn(long address, ByteBuffer source) {
        callWithPlace("copy in", h -> staging.copyIn(h, address, source));
    }

    /** Copies {@code length} bytes from the device into {@code target}, starting at {@code offset}. */
    public void copyOut(long address, byte[] target, int offset, int length) {
        checkFromIndexSize(offset, length, target.length);
        copyOut(address, ByteBuffer.wrap(target, offset, length));
    }

    /** Fills {@code target} between its position and its limit, which stay as they are, from the device. */
    public void copyOut(long address, ByteBuffer target) {
        callWithPlace("copy out", h -> staging.copyOut(h, address, target));
    }

    /**
     * Copies {@code bytes} bytes between device memory or windows.
     *
     * @throws DeviceException if the two ranges overlap and are not equal, since a device may move the bytes in any order
     */
    public void copy(long targetAddress, long sourceAddress, long bytes) {
        requireNotNegative("bytes", bytes);
        if (isRecorded()) {
            tellPlace("copy");
        }
        // Does not use call(): short copies are made by the thousand, and a closure costs as much as a short copy.
        int status;
        long h = handle.acquire();
        try {
            status = DeviceFunctions.device_copy(h, targetAddress, sourceAddress, bytes);
        } finally {
            handle.release();
        }
        require(status, "copy");
    }

    /**
     * Creates a stream, on which work runs in order and in the background. It ends with this device if it is not closed
     * before.
     *
     * @throws DeviceException if this backend has no streams
     */
    public Stream createStream() {
        return new Stream(this, create("create stream", StreamFunctions::stream_create));
    }

    /** Creates an event, which marks a point of a stream. It ends with this device if it is not closed before. */
    public Event createEvent() {
        return new Event(this, create("create event", StreamFunctions::event_create));
    }

    /** Creates a notify, a flag between streams. It ends with this device if it is not closed before. */
    public Notify createNotify() {
        return new Notify(this, create("create notify", StreamFunctions::notify_create));
    }

    /**
     * Makes a notify of another device known to this one, whose streams can then post it.
     *
     * @param key what {@link Notify#exportKey()} returned, in any process of this user on this machine
     * @throws DeviceException if the key is damaged, or the notify is gone
     */
    public Notify importNotify(String key) {
        return new Notify(this, create("import notify", (h, out) -> StreamFunctions.notify_import(h, key, out)));
    }

    /**
     * Sets how long a wait on a stream or in a kernel may take; two minutes unless set. A device without streams has no
     * such waits.
     */
    public void setWaitTimeout(Duration timeout) {
        if (timeout.toMillis() < 1) {
            throw new IllegalArgumentException("timeout = " + timeout + " is less than a millisecond");
        }
        waitTimeout = timeout;
        handle.use(h -> {
            int status = DeviceFunctions.device_set_timeout(h, timeout.toMillis());
            if (status != NOT_SUPPORTED) {
                require(status, "set timeout");
            }
            return status;
        });
    }

    /** Returns how long a wait on a stream, in a kernel or for a task graph may take. */
    public Duration waitTimeout() {
        return waitTimeout;
    }

    /**
     * Ends all waits on streams and in kernels of this device, now and later, with a {@link DeviceException} that gives
     * {@code reason}.
     */
    public void abort(String reason) {
        call("abort", h -> DeviceFunctions.device_abort(h, reason));
    }

    /**
     * Waits until all work on all streams has ended, at most the wait time-out. A device without streams has none.
     *
     * @throws DeviceException if work has failed and no method has thrown that before, or has not ended in time; the message
     *     has a line for each such stream
     */
    @API(status = INTERNAL, since = "0.1")
    public void settle() {
        handle.use(h -> {
            int status = DeviceFunctions.device_settle(h, waitTimeout.toMillis());
            if (status != NOT_SUPPORTED) {
                require(status, "at the end of the test");
            }
            return status;
        });
    }

    /** What the devices of this process do. A backend that does not say so counts as one that works. */
    @API(status = INTERNAL, since = "0.1")
    public DeviceActivity activity() {
        int[] state = {WORKS};
        long[] changes = new long[1];
        byte[] text = new byte[NativeText.LONGEST];
        handle.use(h -> {
            int status = DeviceFunctions.device_activity(h, state, changes, text, text.length);
            if (status != NOT_SUPPORTED) {
                require(status, "activity");
            }
            return status;
        });
        String waits = NativeText.of(text);
        return new DeviceActivity(
                STATES.get(state[0]), changes[0], waits.isEmpty() ? List.of() : List.of(waits.split("\n")));
    }

    private int create(String what, ToIntBiFunction<Long, int[]> function) {
        int[] out = new int[1];
        call(what, h -> function.applyAsInt(h, out));
        return out[0];
    }

    /**
     * Treats memory as memory of this device until it is disowned; for the windows of another library's communicator.
     */
    public void adopt(long address, long bytes) {
        requireNotNegative("bytes", bytes);
        call("adopt", h -> DeviceFunctions.device_adopt(h, address, bytes));
    }

    public void disown(long address) {
        call("disown", h -> DeviceFunctions.device_disown(h, address));
    }

    /** The stream on which copies and kernels run, as the backend's own handle; 0 in the simulator, which has none. */
    public long stream() {
        long[] out = new long[1];
        call("stream", h -> DeviceFunctions.device_stream(h, out));
        return out[0];
    }

    /** A description, for people, of the device and of what drives it. */
    public String describe() {
        String[] text = {""};
        call("describe", h -> library.describe(h, text));
        return text[0];
    }

    /** Whether the windows of {@code communication} can be used without being {@linkplain #adopt adopted}. */
    public boolean knowsWindowsOf(CommLibrary communication) {
        return communication.isOf(library);
    }

    /**
     * Finds a kernel in a shared library; {@code rankunit/kernel.h} describes what the simulator expects there.
     *
     * @throws DeviceException if there is no such library, or no such symbol in it
     */
    public Kernel loadKernel(Path kernelLibrary, String symbol) {
        long[] out = new long[1];
        call(
                "load kernel",
                h -> DeviceFunctions.device_load_kernel(
                        h, kernelLibrary.toAbsolutePath().toString(), symbol, out));
        return new Kernel(this, symbol, out[0]);
    }

    /**
     * Reports kernels that run for too long. Nothing else is done about them: a kernel cannot be stopped from outside.
     *
     * @param limit how long a kernel may run
     * @param late called once with the name of each kernel run that exceeds the limit, on a separate thread
     */
    public void watchKernels(Duration limit, Consumer<String> late) {
        watch = new KernelWatch(limit, late);
    }

    /**
     * Notes in a file which kernels run in this process, and reports those that run for too long, on streams and in task graphs
     * too. Where the device does not note them, only those are reported that {@link Kernel} launches.
     *
     * @param file made anew; it can be read after the process has ended in whatever way
     * @param limit how long a kernel may run, without the time that it waits for others
     * @param late called once for each run of a kernel that exceeds the limit, on a separate thread
     * @return what is noted; empty if nothing is
     * @throws DeviceException if the file cannot be made, or this process notes its kernels in another one
     * @throws UncheckedIOException if the file cannot be read
     */
    @API(status = INTERNAL, since = "0.1")
    public Optional<RunningKernels> watchKernels(Path file, Duration limit, Consumer<LateKernel> late) {
        int noted = handle.use(h ->
                DeviceFunctions.device_note_running(h, file.toAbsolutePath().toString()));
        if (noted == NOT_SUPPORTED) {
            watchKernels(limit, name -> late.accept(new LateKernel(name, "", List.of())));
            return Optional.empty();
        }
        require(noted, "note which kernels run");
        try {
            RunningKernels running = RunningKernels.map(file);
            new RunningWatch(running, limit, () -> waitTimeout, this::codeOf, late).start();
            return Optional.of(running);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read which kernels run", e);
        }
    }

    /** Where a thread of this process is in the code of a kernel; empty if that is not known, or the device is closed. */
    private List<String> codeOf(int thread) {
        byte[] text = new byte[NativeText.LONGEST];
        try {
            int status = handle.use(h -> DeviceFunctions.device_code_of(h, thread, text, text.length));
            return status == 0 ? NativeText.of(text).lines().toList() : List.of();
        } catch (IllegalStateException e) {
            return List.of();
        }
    }

    void launch(String name, long kernel, long[] arguments) {
        watched(name, h -> DeviceFunctions.device_launch(h, kernel, arguments, arguments.length));
    }

    void launchOn(String name, long kernel, long[] arguments, int blocks, long stream) {
        if (blocks < 1) {
            throw new IllegalArgumentException("blocks = " + blocks + " is less than 1");
        }
        watched(name, h -> DeviceFunctions.device_launch_on(h, kernel, arguments, arguments.length, blocks, stream));
    }

    private void watched(String name, LongToIntFunction launchCall) {
        Runnable launch = () -> callWithPlace("launch", launchCall);
        KernelWatch present = watch;
        if (present == null) {
            launch.run();
        } else {
            present.during(name, launch);
        }
    }

    /**
     * Records what happens in this process until the device is closed: which work ran when, and what it waited for. Only
     * simulators do.
     *
     * @param log a file that does not exist; it can be read at any time, and after a crash
     * @param order a file that all ranks of a group share; it need not exist
     * @param capacity the most events to record, each of 64 bytes; more are dropped and counted
     * @throws DeviceException if the file cannot be made, or this backend records nothing
     */
    @API(status = INTERNAL, since = "0.1")
    public void record(Path log, Path order, long capacity) {
        String file = log.toAbsolutePath().toString();
        String shared = order.toAbsolutePath().toString();
        call("record", h -> DeviceFunctions.device_record(h, file, shared, capacity));
        tellPlace("record");
        recording = this;
    }

    /**
     * Leaves out one step of each test that makes an order, such as {@code edge:3}, the third edge; simulators only.
     *
     * @throws DeviceException if there is no such kind of step, or this backend leaves out nothing
     */
    @API(status = INTERNAL, since = "0.1")
    public void leaveOut(String step) {
        call("leave out", h -> DeviceFunctions.device_leave_out(h, step));
    }

    /**
     * Marks in the record that a test begins; everything that the ranks did before must have been done.
     *
     * @param ifUsed whether a test that does nothing on the device leaves no marks
     */
    @API(status = INTERNAL, since = "0.1")
    public void markTestBegin(String test, boolean ifUsed) {
        mark(ifUsed ? TEST_BEGIN_IF_USED : TEST_BEGIN, test);
    }

    /** Names memory in the record; the name is known until the test ends. */
    @API(status = INTERNAL, since = "0.1")
    public void nameMemory(long address, long bytes, String name) {
        call("name memory", h -> DeviceFunctions.device_record_name(h, address, bytes, name));
    }

    /**
     * Copies what the arguments of tasks of graphs point to, from now on: what a task reads before it runs, and what it has
     * written after that. The record says where in the file it is.
     *
     * @param file made by the first copy; it must not exist
     * @param mostBytes the most that the file may have; further memory is not copied
     */
    @API(status = INTERNAL, since = "0.1")
    public void copyMemoryInto(Path file, long mostBytes) {
        String path = file.toAbsolutePath().toString();
        call("copy memory", h -> DeviceFunctions.device_record_memory(h, path, mostBytes));
    }

    /**
     * Gets how the record knows the calling thread.
     *
     * @param actor gets its number in the first element
     * @return how many events it has recorded, without those of {@link #recordAcquire}
     */
    @API(status = INTERNAL, since = "0.1")
    public long recordedEvents(int[] actor) {
        long[] events = new long[1];
        call("record", h -> DeviceFunctions.device_record_actor(h, actor, events));
        return events[0];
    }

    /** Says in the record that the calling thread comes after what another one did until a {@link System#nanoTime time}. */
    @API(status = INTERNAL, since = "0.1")
    public void recordAcquire(int actor, long until) {
        call("record", h -> DeviceFunctions.device_record_acquire(h, actor, until));
    }

    /** Says in the record that the order of the program's threads is not known. */
    @API(status = INTERNAL, since = "0.1")
    public void recordNoOrder(String why) {
        call("record", h -> DeviceFunctions.device_record_no_order(h, NativeText.of(why)));
    }

    /** Marks in the record that a test has ended. */
    @API(status = INTERNAL, since = "0.1")
    public void markTestEnd(String test) {
        mark(TEST_END, test);
    }

    private void mark(int mark, String test) {
        byte[] text = NativeText.of(test);
        call("mark", h -> DeviceFunctions.device_record_mark(h, mark, text));
    }

    /** Waits until all launched kernels have finished. */
    public void synchronize() {
        call("synchronize", DeviceFunctions::device_synchronize);
    }

    /**
     * Ends the waits of all streams, waits for the kernels that run on them, and frees all memory, kernels, streams,
     * events and notifies of this device. Further calls do nothing.
     */
    @Override
    public void close() {
        handle.close(h -> DeviceFunctions.device_abort(h, "the device is closed"), DeviceFunctions::device_close);
        if (recording == this) {
            recording = null;
        }
    }

    /**
     * Calls a function of the backend with the handle of this device.
     *
     * @throws DeviceException if the function returns another status than 0; the message begins with {@code what}
     */
    @API(status = INTERNAL, since = "0.1")
    public void call(String what, LongToIntFunction function) {
        handle.use(h -> {
            int status = function.applyAsInt(h);
            require(status, what);
            return status;
        });
    }

    /** The same for what the record has with the line of the test that calls it. */
    @API(status = INTERNAL, since = "0.1")
    public void callWithPlace(String what, LongToIntFunction function) {
        if (isRecorded()) {
            tellPlace(what);
        }
        call(what, function);
    }

    /** Whether a record has what this device does, with the line of the test. */
    private boolean isRecorded() {
        Device now = recording;
        return now != null && now.library.isSameAs(library);
    }

    /** Does not use call() either: each frame on the stack takes time. */
    private void tellPlace(String what) {
        int status;
        long h = handle.acquire();
        try {
            status = RecordedPlace.tell(h);
        } finally {
            handle.release();
        }
        require(status, what);
    }

    private void require(int status, String what) {
        if (status != 0) {
            throw new DeviceException(status, this + ", " + what + ": " + library.lastError());
        }
    }

    private static void requireNotNegative(String name, long value) {
        if (value < 0) {
            throw new IllegalArgumentException(name + " = " + value + " is negative");
        }
    }

    @Override
    public String toString() {
        return "device " + id + " (" + platform + ")";
    }
}
