package org.rankunit.device;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;
import static org.apiguardian.api.API.Status.INTERNAL;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongToIntFunction;
import org.apiguardian.api.API;
import org.rankunit.comm.jna.DeviceLibrary;
import org.rankunit.comm.jna.NativeText;
import org.rankunit.comm.jna.StreamFunctions;

/**
 * A queue of work for a device. The work of one stream runs in order; work of different streams runs concurrently. Every
 * method but {@link #synchronize} returns before its work is done:
 *
 * <pre>{@code
 * try (Stream stream = device.createStream()) {
 *     stream.launch(kernel, 8, Cores.VECTOR, input, output, count);
 *     stream.signal(cellOfPeer, SignalOperation.SET, round);
 *     stream.waitUntil(ownCell, Comparison.EQ, round);
 *     stream.synchronize();
 * }
 * }</pre>
 *
 * <p>Arguments are checked when a method is called. Work that fails later ends its stream: what was put on it after that
 * is not run, and every later call, {@code synchronize} among them, throws a {@link DeviceException} that names the
 * piece of work and the reason. Waits end with the {@linkplain Device#setWaitTimeout device's wait time-out}, with
 * {@link Device#abort}, and when the rank's communicator is aborted.
 *
 * <p>Threads: any thread may call any method.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class Stream implements AutoCloseable {

    private static final int CELL_BYTES = 4;

    private final Device device;

    private final int number;

    /** Host memory that work of this stream may still use. */
    private final Queue<ByteBuffer> inUse = new ConcurrentLinkedQueue<>();

    Stream(Device device, int number) {
        this.device = device;
        this.number = number;
    }

    /** Runs a kernel as one block on a vector core. */
    public void launch(Kernel kernel, long... arguments) {
        launch(kernel, 1, Cores.VECTOR, arguments);
    }

    /**
     * Runs a kernel in blocks, which run concurrently as far as the device has cores.
     *
     * @param blocks at least 1; in the simulator, only a kernel that is declared with {@code RANKUNIT_BLOCK_KERNEL} runs
     *     in more than one block
     * @param arguments as for {@link Kernel#launch}
     */
    public void launch(Kernel kernel, int blocks, Cores cores, long... arguments) {
        put(
                "launch " + kernel.name(),
                h -> StreamFunctions.stream_launch(
                        h, number, kernel.handleOn(device), arguments, arguments.length, blocks, cores.number()));
    }

    /** Runs a kernel as one block on a vector core, and declares its arguments. */
    public void launch(Kernel kernel, List<? extends Kernel.Argument> arguments) {
        launch(kernel, 1, Cores.VECTOR, arguments);
    }

    /**
     * Runs a kernel in blocks, and declares how it uses its arguments, so that the checks of the simulator know what it
     * reads and writes:
     *
     * <pre>{@code
     * stream.launch(kernel, 8, Cores.VECTOR, List.of(
     *         TaskArgument.in(input.address(), input.byteSize()),
     *         TaskArgument.out(output.address(), output.byteSize()),
     *         TaskArgument.scalar(count)));
     * }</pre>
     *
     * <p>The kernel gets one word for each argument, as from the other methods. On hardware, the declaration has no effect.
     *
     * @param arguments {@code TaskArgument}s, such as {@code RankContext.arguments()}; in the simulator, tensors must lie
     *     in device memory or in a window
     */
    public void launch(Kernel kernel, int blocks, Cores cores, List<? extends Kernel.Argument> arguments) {
        long[] words = Kernel.Argument.declaration(arguments);
        put(
                "launch " + kernel.name(),
                h -> StreamFunctions.stream_launch_declared(
                        h, number, kernel.handleOn(device), words, arguments.size(), blocks, cores.number()));
    }

    public void zero(long address, long bytes) {
        put("zero", h -> StreamFunctions.stream_zero(h, number, address, bytes));
    }

    /**
     * Copies between device memory or windows.
     *
     * @throws DeviceException if the two ranges overlap and are not equal, since a device may move the bytes in any order
     */
    public void copy(long targetAddress, long sourceAddress, long bytes) {
        put("copy", h -> StreamFunctions.stream_copy(h, number, targetAddress, sourceAddress, bytes));
    }

    /**
     * Copies the remaining bytes of a buffer to the device. The buffer must not change before {@link #synchronize}.
     *
     * @param source a direct buffer
     */
    public void copyIn(long targetAddress, ByteBuffer source) {
        long host = hostAddress(source);
        put("copy in", h -> StreamFunctions.stream_copy_in(h, number, targetAddress, host, source.remaining()));
    }

    /**
     * Fills the remaining bytes of a buffer from the device. They are there after {@link #synchronize}.
     *
     * @param target a direct buffer
     */
    public void copyOut(ByteBuffer target, long sourceAddress) {
        long host = hostAddress(target);
        put("copy out", h -> StreamFunctions.stream_copy_out(h, number, host, sourceAddress, target.remaining()));
    }

    private long hostAddress(ByteBuffer buffer) {
        if (!buffer.isDirect()) {
            throw new IllegalArgumentException("not a direct buffer: " + buffer);
        }
        inUse.add(buffer);
        return DeviceLibrary.addressOf(buffer) + buffer.position();
    }

    /** Records an event: it happens when this stream gets here. */
    public void record(Event event) {
        put("record " + event, h -> StreamFunctions.event_record(h, event.number(), number));
    }

    /** Holds up this stream until an event has happened, which must have been recorded before. */
    public void waitFor(Event event) {
        put("wait for " + event, h -> StreamFunctions.event_wait(h, number, event.number()));
    }

    /** Sets a notify. */
    public void post(Notify notify) {
        put("post " + notify, h -> StreamFunctions.notify_post(h, number, notify.number()));
    }

    /** Holds up this stream until a notify of this device is set, and clears it. */
    public void waitFor(Notify notify) {
        put("wait for " + notify, h -> StreamFunctions.notify_wait(h, number, notify.number()));
    }

    /**
     * Changes an {@code int} cell in device memory or in the window of any rank (SIGNAL). On Ascend devices only kernels
     * signal and wait for cells: there, this method and {@code waitUntil} throw.
     *
     * @param cell address, a multiple of 4
     */
    public void signal(long cell, SignalOperation operation, int value) {
        put("signal", h -> StreamFunctions.stream_signal(h, number, cell, operation.number(), value));
    }

    /** Holds up this stream until {@code cell comparison value} holds (WAIT). The cell is not changed. */
    public void waitUntil(long cell, Comparison comparison, int value) {
        waitUntil(cell, 1, 1, CELL_BYTES, comparison, value);
    }

    /**
     * Holds up this stream until all cells of a matrix satisfy a comparison. No cell is changed.
     *
     * @param cells address of the first cell, a multiple of 4
     * @param rowBytes distance from one row to the next, a multiple of 4
     */
    public void waitUntil(long cells, int rows, int columns, long rowBytes, Comparison comparison, int value) {
        put(
                "wait",
                h -> StreamFunctions.stream_wait(
                        h, number, cells, rows, columns, rowBytes, comparison.number(), value));
    }

    /** Waits until all work is done, at most the device's wait time-out. */
    public void synchronize() {
        synchronize(device.waitTimeout());
    }

    /**
     * Waits until all work is done.
     *
     * @throws DeviceException if a piece of work has failed, or if the time-out passes; the message says what the stream
     *     is doing
     */
    public void synchronize(Duration timeout) {
        call("synchronize", h -> StreamFunctions.stream_synchronize(h, number, timeout.toMillis()));
        inUse.clear();
    }

    /** Whether all work is done. */
    public boolean isDone() {
        int[] done = new int[1];
        call("query", h -> StreamFunctions.stream_query(h, number, done));
        return done[0] != 0;
    }

    /** What this stream is doing, for people. */
    public String describe() {
        byte[] text = new byte[NativeText.LONGEST];
        call("describe", h -> StreamFunctions.stream_describe(h, number, text, text.length));
        return NativeText.of(text);
    }

    /**
     * Destroys the stream.
     *
     * @throws DeviceException if it has work that is not done; {@link #synchronize} it first. Also if its work has failed and
     *     no method has thrown that before; then it is destroyed nevertheless
     */
    @Override
    public void close() {
        call("destroy", h -> StreamFunctions.stream_destroy(h, number));
    }

    /**
     * Puts work of another kind on this stream.
     *
     * @param of the device whose work it is
     * @param function gets the handle of the device and the number of this stream, and returns a status
     * @throws IllegalArgumentException if this is not a stream of that device
     * @throws DeviceException if the status is not 0
     */
    @API(status = INTERNAL, since = "0.1")
    public void put(Device of, String what, LongIntToIntFunction function) {
        if (of != device) {
            throw new IllegalArgumentException(this + " of " + device + " does no work of " + of);
        }
        put(what, h -> function.apply(h, number));
    }

    /** Work as a function of the backend: a handle and the number of a stream lead to a status. */
    @FunctionalInterface
    @API(status = INTERNAL, since = "0.1")
    public interface LongIntToIntFunction {

        int apply(long device, int stream);
    }

    private void put(String what, LongToIntFunction function) {
        device.callWithPlace(this + ", " + what, function);
    }

    private void call(String what, LongToIntFunction function) {
        device.call(this + ", " + what, function);
    }

    @Override
    public String toString() {
        return "stream " + number;
    }
}
