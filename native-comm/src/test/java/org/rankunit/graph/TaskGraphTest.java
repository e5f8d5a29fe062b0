package org.rankunit.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.rankunit.device.Comparison;
import org.rankunit.device.Cores;
import org.rankunit.device.Device;
import org.rankunit.device.DeviceException;
import org.rankunit.device.Kernel;
import org.rankunit.device.SignalOperation;
import org.rankunit.device.Stream;

@Tag("unit")
@Timeout(60)
class TaskGraphTest {

    private static final int COUNT = 4;

    private static final int BYTES = COUNT * Float.BYTES;

    private final Device device = Device.open("a2a3sim", 0);

    private long data;

    private long cell;

    private TaskGraph graph;

    private GraphKernel addOne;

    @BeforeEach
    void makeGraph() throws URISyntaxException {
        data = device.allocate(BYTES);
        device.zero(data, BYTES);
        cell = device.allocate(Integer.BYTES);
        device.zero(cell, Integer.BYTES);
        graph = TaskGraph.create(device, GraphRuntime.HOST_BUILD_GRAPH, "adding");
        addOne = graph.kernel(load("add_one"), Cores.VECTOR, 2);
    }

    @AfterEach
    void close() {
        device.close();
    }

    private Kernel load(String name) throws URISyntaxException {
        return device.loadKernel(
                Path.of(Objects.requireNonNull(TaskGraphTest.class.getResource("/libtest_kernels.so"))
                        .toURI()),
                name);
    }

    private GraphKernel addOneOf(TaskGraph other) throws URISyntaxException {
        return other.kernel(load("add_one"), Cores.VECTOR, 2);
    }

    private GraphTask taskThatAddsOne() {
        return graph.task(addOne, TaskArgument.inout(data, BYTES), TaskArgument.scalar(COUNT));
    }

    private float[] data() {
        byte[] bytes = new byte[BYTES];
        device.copyOut(data, bytes, 0, BYTES);
        float[] values = new float[COUNT];
        ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).asFloatBuffer().get(values);
        return values;
    }

    @Test
    void tasksRunInTheOrderOfTheirEdgesAndAsOftenAsTheGraph() {
        GraphTask first = taskThatAddsOne();
        GraphTask second = taskThatAddsOne().after(first);
        taskThatAddsOne().after(first, second);

        graph.run();
        graph.run();

        assertThat(data()).containsOnly(6);
        assertThat(graph.counts()).isEqualTo(new GraphCounts(3, 0, 3, 0, 0));
        assertThat(graph.runtime()).isEqualTo(GraphRuntime.HOST_BUILD_GRAPH);
        assertThat(graph.describe()).contains("3 tasks");
        graph.close();
    }

    @Test
    void tasksThatDependOnEachOtherInACircleAreNamed() {
        GraphTask first = taskThatAddsOne();
        first.after(taskThatAddsOne().after(first));

        assertThatExceptionOfType(DeviceException.class)
                .isThrownBy(graph::run)
                .withMessageContainingAll("graph \"adding\"", "task 1", "task 2");
        assertThat(data()).containsOnly(0);
    }

    @Test
    void aTaskWhosePredicateDoesNotHoldIsSkipped() {
        taskThatAddsOne().onlyIf(cell, Comparison.GT, 0);
        taskThatAddsOne().onlyIf(cell, Comparison.EQ, 0);

        graph.run();

        assertThat(data()).containsOnly(1);
        assertThat(graph.counts().skipped()).isEqualTo(1);
    }

    @Test
    void aWaitThatHoldsLetsItsTaskStartAndOneThatNeverWillIsNamed() {
        taskThatAddsOne().waitUntil(cell, Comparison.EQ, 0);
        graph.run();
        assertThat(data()).containsOnly(1);

        taskThatAddsOne().waitUntil(cell, 1, 1, Integer.BYTES, Comparison.GE, 3);

        assertThatExceptionOfType(DeviceException.class)
                .isThrownBy(() -> graph.run(Duration.ofMinutes(1)))
                .withMessageContainingAll("task 2", ">= 3", "which is 0");
    }

    @Test
    void aTaskThatFailsIsNamedWithItsKernelAndCore() throws URISyntaxException {
        GraphKernel failing = graph.kernel(load("fail_with_first_argument"), Cores.CUBE);
        graph.task("sum", failing, 1, List.of(TaskArgument.scalar(9)));

        assertThatExceptionOfType(DeviceException.class)
                .isThrownBy(graph::run)
                .withMessageContainingAll(
                        "graph \"adding\"", "task 1 \"sum\"", "cube core", "\"fail_with_first_argument\" returned 9");
    }

    @Test
    void aRunOnAStreamIsBetweenTheWorkBeforeItAndTheWorkBehindIt() {
        taskThatAddsOne().after(taskThatAddsOne());
        long copy = device.allocate(BYTES);
        try (Stream stream = device.createStream()) {
            stream.waitUntil(cell, Comparison.EQ, 1);
            graph.runOn(stream);
            stream.copy(copy, data, BYTES);
            graph.runOn(stream);
            assertThatExceptionOfType(DeviceException.class)
                    .isThrownBy(graph::close)
                    .withMessageContaining("it has been put on a stream and has not ended there");
            assertThat(data()).containsOnly(0);
            device.copyIn(cell, new byte[] {1, 0, 0, 0}, 0, Integer.BYTES);
            stream.synchronize();

            assertThat(data()).containsOnly(4);
            device.copy(data, copy, BYTES);
            assertThat(data()).containsOnly(2);
        }
        graph.close();
    }

    @Test
    void twoStreamsRunTwoGraphsAtTheSameTime() throws URISyntaxException {
        taskThatAddsOne();
        TaskGraph signalling = TaskGraph.create(device, GraphRuntime.HOST_BUILD_GRAPH, "waiting");
        signalling
                .task(addOneOf(signalling), TaskArgument.inout(data, BYTES), TaskArgument.scalar(COUNT))
                .waitUntil(cell, Comparison.EQ, 1);
        try (Stream first = device.createStream();
                Stream second = device.createStream()) {
            signalling.runOn(first);
            graph.runOn(second);
            second.synchronize();
            assertThat(first.isDone()).isFalse();
            assertThat(data()).containsOnly(1);

            second.signal(cell, SignalOperation.SET, 1);
            first.synchronize();
            assertThat(data()).containsOnly(2);
        }
    }

    @Test
    void aTaskThatFailsOnAStreamIsNamedWhenTheStreamIsSynchronized() throws URISyntaxException {
        GraphKernel failing = graph.kernel(load("fail_with_first_argument"), Cores.CUBE);
        graph.task("sum", failing, 1, List.of(TaskArgument.scalar(9)));
        try (Stream stream = device.createStream()) {
            graph.runOn(stream);

            assertThatExceptionOfType(DeviceException.class)
                    .isThrownBy(stream::synchronize)
                    .withMessageContainingAll(
                            "stream 1", "the run of graph \"adding\"", "task 1 \"sum\"", "returned 9");
        }
    }

    @Test
    void aStreamOfAnotherDeviceAndAGraphThatIsClosedAreRefused() {
        try (Device other = Device.open("a2a3sim", 1);
                Stream ofOther = other.createStream();
                Stream own = device.createStream()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> graph.runOn(ofOther))
                    .withMessageContainingAll("stream 1 of ", "does no work of ");
            graph.close();
            assertThatExceptionOfType(DeviceException.class)
                    .isThrownBy(() -> graph.runOn(own))
                    .withMessageContainingAll("stream 1", "run graph \"adding\"");
        }
    }

    @Test
    void whatIsWrongIsRefusedBeforeAnythingRuns() {
        assertThatExceptionOfType(DeviceException.class)
                .isThrownBy(() -> graph.task(addOne, TaskArgument.inout(data, BYTES)))
                .withMessageContaining("add_one");
        assertThatExceptionOfType(DeviceException.class)
                .isThrownBy(() -> graph.task(addOne, TaskArgument.in(8, BYTES), TaskArgument.scalar(COUNT)))
                .withMessageContaining("0x8");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> graph.task("none", addOne, 0, List.of()))
                .withMessage("blocks = 0 is less than 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> graph.kernel(load("add_one"), Cores.VECTOR, -1))
                .withMessage("argumentCount = -1 is negative");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TaskArgument.in(data, 0))
                .withMessageContaining("bytes = 0 of an argument IN");
        assertThatExceptionOfType(DeviceException.class)
                .isThrownBy(() -> TaskGraph.create(device, GraphRuntime.HOST_BUILD_GRAPH, ""))
                .withMessageContaining("name");
    }

    @Test
    void tasksAndKernelsBelongToOneGraph() {
        TaskGraph other = TaskGraph.create(device, GraphRuntime.HOST_BUILD_GRAPH, "other");
        GraphTask task = taskThatAddsOne();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> other.task(addOne, TaskArgument.inout(data, BYTES), TaskArgument.scalar(COUNT)))
                .withMessage("kernel \"add_one\" is a kernel of graph \"adding\", not of graph \"other\"");
        GraphKernel ofOther = other.kernel(kernelOf(addOne), Cores.VECTOR);
        GraphTask taskOfOther = other.task(ofOther, TaskArgument.inout(data, BYTES), TaskArgument.scalar(COUNT));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> taskOfOther.after(task))
                .withMessage("task 1 is a task of graph \"adding\", not of graph \"other\"");
    }

    private Kernel kernelOf(GraphKernel kernel) {
        try {
            return load(kernel.name());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void runtimesAreKnownByTheirNames() {
        assertThat(GraphRuntime.of("tensormap_and_ringbuffer")).isEqualTo(GraphRuntime.TENSORMAP_AND_RINGBUFFER);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> GraphRuntime.of("host"))
                .withMessage("\"host\" is not a runtime of task graphs. There are host_build_graph, aicpu_build_graph,"
                        + " tensormap_and_ringbuffer");
    }

    @Test
    void settingsThatARuntimeDoesNotHaveAreRefused() {
        assertThatExceptionOfType(DeviceException.class).isThrownBy(() -> graph.setRingSlots(16));
        assertThatExceptionOfType(DeviceException.class).isThrownBy(() -> graph.setConcurrent(true));
        graph.setMaxTasks(1);
        taskThatAddsOne();
        assertThatExceptionOfType(DeviceException.class)
                .isThrownBy(this::taskThatAddsOne)
                .withMessageContaining("1");
    }
}
