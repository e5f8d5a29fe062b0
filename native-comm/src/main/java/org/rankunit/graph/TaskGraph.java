package org.rankunit.graph;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.time.Duration;
import java.util.List;
import java.util.function.LongToIntFunction;
import org.apiguardian.api.API;
import org.rankunit.comm.jna.GraphFunctions;
import org.rankunit.comm.jna.NativeText;
import org.rankunit.device.Cores;
import org.rankunit.device.Device;
import org.rankunit.device.DeviceException;
import org.rankunit.device.Kernel;
import org.rankunit.device.Stream;

/**
 * A graph of tasks that a device runs on its cores: each task runs one kernel, after the tasks that it depends on. Only
 * the simulators have task graphs.
 *
 * <p>In a host-built graph, Java makes the tasks:
 *
 * <pre>{@code
 * try (TaskGraph graph = TaskGraph.create(device, GraphRuntime.HOST_BUILD_GRAPH, "scale and sum")) {
 *     GraphKernel scale = graph.kernel(device.loadKernel(library, "scale"), Cores.VECTOR);
 *     GraphKernel sum = graph.kernel(device.loadKernel(library, "sum"), Cores.VECTOR);
 *     GraphTask scaled = graph.task(scale, TaskArgument.in(input, 1024), TaskArgument.out(middle, 1024));
 *     graph.task(sum, TaskArgument.in(middle, 1024), TaskArgument.out(output, 4)).after(scaled);
 *     graph.run();
 * }
 * }</pre>
 *
 * <p>In graphs of the other runtimes, an {@link #orchestration} makes them, in C++.
 *
 * <p>Threads: any thread may call any method. A graph that runs cannot be changed or closed.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class TaskGraph implements AutoCloseable {

    private static final int ANY_NUMBER = -1;

    /** {@code GraphSetting} of {@code graph.h}. */
    private static final int TASKS = 0;

    private static final int SLOTS = 1;
    private static final int HEAP_BYTES = 2;
    private static final int CONCURRENT = 3;

    private final Device device;

    private final GraphRuntime runtime;

    private final String name;

    private final int number;

    private TaskGraph(Device device, GraphRuntime runtime, String name, int number) {
        this.device = device;
        this.runtime = runtime;
        this.name = name;
        this.number = number;
    }

    /**
     * Creates an empty graph. It ends with its device if it is not closed before.
     *
     * @param name for messages; not empty
     * @throws DeviceException if this backend has no task graphs
     */
    public static TaskGraph create(Device device, GraphRuntime runtime, String name) {
        int[] out = new int[1];
        device.call("create graph \"" + name + "\"", h -> GraphFunctions.graph_create(h, runtime.number(), name, out));
        return new TaskGraph(device, runtime, name, out[0]);
    }

    public GraphRuntime runtime() {
        return runtime;
    }

    /** Makes a kernel known to this graph, whose tasks have any number of arguments. */
    public GraphKernel kernel(Kernel kernel, Cores cores) {
        return add(kernel, cores, ANY_NUMBER);
    }

    /** Makes a kernel known to this graph. A task of it with another number of arguments is an error. */
    public GraphKernel kernel(Kernel kernel, Cores cores, int argumentCount) {
        if (argumentCount < 0) {
            throw new IllegalArgumentException("argumentCount = " + argumentCount + " is negative");
        }
        return add(kernel, cores, argumentCount);
    }

    private GraphKernel add(Kernel kernel, Cores cores, int argumentCount) {
        int[] out = new int[1];
        call(
                "kernel \"" + kernel.name() + "\"",
                h -> GraphFunctions.graph_add_kernel(
                        h, number, kernel.handleOn(device), cores.number(), argumentCount, kernel.name(), out));
        return new GraphKernel(this, kernel, cores, out[0]);
    }

    /** Sets the function that makes the tasks in each run. */
    public void orchestration(Orchestration orchestration) {
        call(
                "orchestration \"" + orchestration.function() + "\"",
                h -> GraphFunctions.graph_set_orchestration(
                        h, number, orchestration.library().toAbsolutePath().toString(), orchestration.function()));
    }

    /** Adds a task of one block to a host-built graph. */
    public GraphTask task(GraphKernel kernel, TaskArgument... arguments) {
        return task("", kernel, 1, List.of(arguments));
    }

    /**
     * Adds a task to a host-built graph.
     *
     * @param taskName for messages; may be empty
     * @param blocks at least 1; they run on as many cores as are free
     * @param arguments in the order that the kernel expects
     */
    public GraphTask task(String taskName, GraphKernel kernel, int blocks, List<TaskArgument> arguments) {
        if (blocks < 1) {
            throw new IllegalArgumentException("blocks = " + blocks + " is less than 1");
        }
        long[] words = Kernel.Argument.declaration(arguments);
        int[] out = new int[1];
        device.callWithPlace(
                "task of " + kernel,
                h -> GraphFunctions.graph_add_task(
                        h, number, kernel.numberIn(this), blocks, taskName, words, arguments.size(), out));
        return new GraphTask(this, out[0]);
    }

    /** Sets how many tasks a run may have: 131,072 in a host-built graph and 1,024 in an AICPU-built one unless set. */
    public void setMaxTasks(long tasks) {
        set("most tasks", TASKS, tasks);
    }

    /** Sets the number of slots of each ring, a power of two; 16,384 unless set. */
    public void setRingSlots(long slots) {
        set("ring slots", SLOTS, slots);
    }

    /** Sets the bytes of each ring's heap, a multiple of 1,024; 256 MiB unless set. */
    public void setRingHeapBytes(long bytes) {
        set("ring heap bytes", HEAP_BYTES, bytes);
    }

    /**
     * Sets whether the published tasks of an AICPU-built graph run while its orchestration makes others, as they do
     * unless set, or only after it has returned.
     */
    public void setConcurrent(boolean concurrent) {
        set("concurrent", CONCURRENT, concurrent ? 1 : 0);
    }

    private void set(String what, int setting, long value) {
        call("set " + what, h -> GraphFunctions.graph_set(h, number, setting, value));
    }

    /** Runs the graph, with the device's wait time-out and without arguments. */
    public void run() {
        run(device.waitTimeout());
    }

    /** Runs the graph with the device's wait time-out, and passes these arguments to its orchestration. */
    public void run(List<TaskArgument> arguments) {
        run(device.waitTimeout(), TaskArgument.words(arguments));
    }

    /**
     * Runs the graph and waits for its end. A graph can be run any number of times.
     *
     * @param arguments words for the orchestration; none for tasks that Java has made
     * @throws DeviceException if a task or the orchestration fails, or the time-out passes; the message names the task,
     *     its kernel, block and core, and the reason. No further task has been started; the graph can be run again
     */
    public void run(Duration timeout, long... arguments) {
        device.callWithPlace(
                "run", h -> GraphFunctions.graph_run(h, number, arguments, arguments.length, timeout.toMillis()));
    }

    /** Puts a run of the graph on a stream, without arguments. */
    public void runOn(Stream stream) {
        runOn(stream, List.of());
    }

    /**
     * Puts a run of the graph on a stream, and returns before it begins. It begins when the work before it has ended, and
     * what follows on the stream waits for all its tasks. Until it has ended, the graph cannot be changed or closed. A
     * graph runs once at a time: of two streams that run the same one, let one wait for an event of the other.
     *
     * @param arguments for the orchestration; none for tasks that Java has made
     * @throws IllegalArgumentException if the stream is not one of this graph's device
     * @throws DeviceException if the graph is closed, or the stream has failed. If a task or the orchestration fails, or
     *     the device's wait time-out passes, the stream ends: {@link Stream#synchronize} throws, with the task, its
     *     kernel, block and core, and the reason
     */
    public void runOn(Stream stream, List<TaskArgument> arguments) {
        long[] words = TaskArgument.words(arguments);
        stream.put(
                device, "run " + this, (h, to) -> GraphFunctions.stream_run_graph(h, to, number, words, words.length));
    }

    /** Completes what a kernel of this device has deferred ({@code KernelOps.defer}). */
    public void complete(long token) {
        call("complete", h -> GraphFunctions.graph_complete(h, token));
    }

    public GraphCounts counts() {
        return new GraphCounts(count(0), count(1), count(2), count(3), count(4));
    }

    private long count(int which) {
        int[] out = new int[1];
        call("count", h -> GraphFunctions.graph_count(h, number, which, out));
        return Integer.toUnsignedLong(out[0]);
    }

    /** What this graph is and does, for people. */
    public String describe() {
        byte[] text = new byte[NativeText.LONGEST];
        call("describe", h -> GraphFunctions.graph_describe(h, number, text, text.length));
        return NativeText.of(text);
    }

    /**
     * Destroys the graph.
     *
     * @throws DeviceException if it runs. Also if a run of it has failed on a stream and no method has thrown that before; then it
     *     is destroyed nevertheless
     */
    @Override
    public void close() {
        call("destroy", h -> GraphFunctions.graph_destroy(h, number));
    }

    int number() {
        return number;
    }

    void call(String what, LongToIntFunction function) {
        device.call(what, function);
    }

    @Override
    public String toString() {
        return "graph \"" + name + "\"";
    }
}
