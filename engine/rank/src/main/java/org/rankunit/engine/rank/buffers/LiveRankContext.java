package org.rankunit.engine.rank.buffers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.rankunit.RankBuffer;
import org.rankunit.RankContext;
import org.rankunit.Values;
import org.rankunit.comm.CommError;
import org.rankunit.comm.CommException;
import org.rankunit.comm.Communicator;
import org.rankunit.comm.WindowView;
import org.rankunit.device.Device;
import org.rankunit.device.DeviceException;
import org.rankunit.device.Kernel;
import org.rankunit.engine.config.ConfigKey;
import org.rankunit.engine.protocol.ArgumentDeclaration;
import org.rankunit.engine.protocol.DeviceRef;
import org.rankunit.engine.protocol.EventRecording;
import org.rankunit.engine.protocol.FromRank;
import org.rankunit.engine.protocol.Phase;
import org.rankunit.engine.protocol.TestSelection;
import org.rankunit.engine.protocol.ToRank;
import org.rankunit.engine.rank.evidence.PhaseClock;
import org.rankunit.engine.rank.files.ParentFiles;
import org.rankunit.engine.rank.threads.ThreadWatch;
import org.rankunit.graph.GraphRuntime;
import org.rankunit.graph.Orchestration;
import org.rankunit.graph.TaskArgument;
import org.rankunit.graph.TaskGraph;
import org.slf4j.LoggerFactory;

/** The context of a rank that is up. */
public final class LiveRankContext implements RankContext {

    /** Of a test on one rank: enough for what people look at, and little enough for the disk of a CI machine. */
    private static final long MAX_COPIED_BYTES = 256L << 20;

    private final int rank;
    private final ToRank.BringUp order;
    private final Device device;
    private final @Nullable Communicator communicator;
    private final ParentFiles files;
    private final PhaseClock phases;
    private final TestBuffers testBuffers;
    private final Shaking shaking;
    private final Map<String, Kernel> kernels = new ConcurrentHashMap<>();
    private volatile @Nullable Map<String, RankBuffer> open;
    private volatile List<ArgumentDeclaration> arguments = List.of();
    private volatile int syncPrefix;

    /** @param communicator {@code null} if the tests of this rank do without one */
    public LiveRankContext(
            int rank,
            ToRank.BringUp order,
            Device device,
            @Nullable Communicator communicator,
            ParentFiles files,
            PhaseClock phases) {
        this.rank = rank;
        this.order = order;
        this.device = device;
        this.communicator = communicator;
        this.files = files;
        this.phases = phases;
        this.testBuffers = new TestBuffers(device, this::communicator, phases);
        this.shaking = new Shaking(rank, order, device, files);
    }

    /** The parent's files. */
    ParentFiles files() {
        return files;
    }

    /** Lay out the buffers of a test. */
    public void openTest(TestSelection test) {
        Map<String, RankBuffer> published = new LinkedHashMap<>();
        testBuffers.open(test).forEach(buffer -> published.put(buffer.name(), buffer));
        open = Collections.unmodifiableMap(published);
        arguments = test.declaration().arguments();
        syncPrefix = test.declaration().syncPrefix();
        shaking.open(test.declaration().shake());
    }

    /** Fill the buffers of the running test as before it. */
    public void resetBuffers() {
        testBuffers.reset();
    }

    /** The buffers of the running test with the role OUTPUT or INOUT. */
    public List<? extends RankBuffer> writtenBuffers() {
        return testBuffers.written();
    }

    public boolean hasCommunicator() {
        return communicator != null;
    }

    /** Whether ranks may see what others write to windows only after a barrier: nodes may have no memory to share. */
    public boolean windowsMayBeCopies() {
        return hasCommunicator()
                && order.commLibrary() != null
                && nodes().stream().distinct().count() > 1;
    }

    /** What was overwritten behind the buffers of the test, a text for each of them. */
    public List<String> overruns() {
        return testBuffers.overruns(rank);
    }

    /** The names of the outputs that the test must verify. */
    public List<String> outputs() {
        return testBuffers.outputs();
    }

    /** Shake the test that begins now, if its author or the user wants that and the device is a simulated one. */
    public void beginShaking() {
        shaking.begin();
    }

    /**
     * Require that the running test is shaken if that is wanted.
     *
     * @throws IllegalStateException if it is not
     */
    public void checkShaking() {
        shaking.check();
    }

    /** End shaking; empty if nothing was shaken. */
    public Optional<FromRank.Shaken> endShaking(String uniqueId) {
        return shaking.end(uniqueId);
    }

    /** Whether the record of events may not have room for one more test. A test in the other half is told to be unchecked. */
    public boolean needsNewRecord() {
        EventRecording recording = order.recording();
        try {
            return recording != null
                    && EventRecording.eventsIn(files.local(Path.of(recording.log()))) > recording.capacity() / 2;
        } catch (IOException e) {
            LoggerFactory.getLogger(LiveRankContext.class).debug("No record of events", e);
            return false;
        }
    }

    /** Mark in the record of events that a test begins, and name its buffers there. */
    public void markTestBegin(String uniqueId) {
        mark(recording -> {
            device.markTestBegin(uniqueId, !recording.timeline());
            ThreadWatch.ofProcess().beginTest(uniqueId, device);
            if (recording.copiesMemory()) {
                device.copyMemoryInto(
                        files.local(EventRecording.memoryFile(Path.of(recording.log()), uniqueId)), MAX_COPIED_BYTES);
            }
            Map<String, RankBuffer> current = open;
            if (current != null) {
                current.forEach((name, buffer) -> device.nameMemory(buffer.address(), buffer.byteSize(), name));
            }
        });
    }

    /** Mark in the record of events that a test has ended. */
    public void markTestEnd(String uniqueId) {
        mark(recording -> {
            device.markTestEnd(uniqueId);
            Path log = Path.of(recording.log());
            if (recording.copiesMemory()) {
                publishIfThere(EventRecording.memoryFile(log, uniqueId));
            }
            files.publishRecord(log);
        });
    }

    private void publishIfThere(Path file) {
        if (Files.isRegularFile(files.local(file))) {
            files.publish(file);
        }
    }

    private void mark(Consumer<EventRecording> call) {
        EventRecording recording = order.recording();
        if (recording == null) {
            return;
        }
        try {
            call.accept(recording);
        } catch (DeviceException | IllegalStateException e) {
            LoggerFactory.getLogger(LiveRankContext.class).debug("No mark in the record of events", e);
        }
    }

    /** The number of buffers of the running test; 0 between tests. */
    public int bufferCount() {
        Map<String, RankBuffer> current = open;
        return current == null ? 0 : current.size();
    }

    /** End the test: its buffers expire. */
    public void closeTest() {
        open = null;
        arguments = List.of();
        testBuffers.close();
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int worldSize() {
        return order.worldSize();
    }

    @Override
    public String node() {
        return order.devices().get(rank).node();
    }

    @Override
    public List<String> nodes() {
        return order.devices().stream().map(DeviceRef::node).toList();
    }

    @Override
    public int localRank() {
        return (int) nodes().subList(0, rank).stream().filter(node()::equals).count();
    }

    @Override
    public int deviceId() {
        return order.deviceId();
    }

    @Override
    public List<Peer> peers() {
        Communicator windows = communicator();
        return IntStream.range(0, worldSize())
                .mapToObj(peer -> {
                    WindowView window = windows.window(peer);
                    return new Peer(peer, order.devices().get(peer).id(), window.address(), window.size());
                })
                .toList();
    }

    @Override
    public long semaphoreBase() {
        Communicator windows = communicator();
        buffers();
        if (syncPrefix == 0) {
            throw new IllegalStateException(
                    "this test reserves no bytes for semaphores; put @Window(syncPrefix = 256)" + " on it");
        }
        return windows.windowBase();
    }

    @Override
    public String platform() {
        return order.platform();
    }

    @Override
    public String runtime() {
        return order.runtime();
    }

    /** The parameters of the run, with their prefix. */
    Map<String, String> parameters() {
        return order.parameters();
    }

    @Override
    public Optional<String> parameter(String name) {
        return Optional.ofNullable(order.parameters().get(ConfigKey.PARAMETER_PREFIX + name));
    }

    @Override
    public int intParameter(String name, int defaultValue) {
        Optional<String> value = parameter(name);
        try {
            return value.map(String::strip).map(Integer::parseInt).orElse(defaultValue);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    ConfigKey.PARAMETER_PREFIX + name + " = \"" + value.orElse("") + "\" is not a whole number.", e);
        }
    }

    @Override
    public void barrier() {
        Communicator all = communicator();
        phases.in(Phase.BARRIER, () -> barrier(all));
    }

    private static void barrier(Communicator all) {
        try {
            all.barrier();
        } catch (CommException e) {
            if (e.error() != CommError.TIMEOUT) {
                throw e;
            }
            CommException told = new CommException(e.error(), e.getMessage() + " (rankunit.comm-timeout)");
            told.setStackTrace(e.getStackTrace());
            throw told;
        }
    }

    @Override
    public void barrier(Duration timeout) {
        Communicator all = communicator();
        phases.in(Phase.BARRIER, () -> all.barrier(timeout));
    }

    @Override
    public List<Values> allGather(Values own) {
        Communicator all = communicator();
        return new Gathering(files, Path.of(order.rootInfo()), rank, worldSize())
                .gather(own, () -> phases.in(Phase.BARRIER, () -> barrier(all)));
    }

    @Override
    public Communicator communicator() {
        if (communicator == null) {
            throw new IllegalStateException(
                    "this test has no communicator, and therefore no windows, barriers or peers:"
                            + " @DeviceCount(communicator = false) leaves it out. Remove communicator = false from the test or"
                            + " its class.");
        }
        return communicator;
    }

    @Override
    public Device device() {
        return device;
    }

    @Override
    public RankBuffer buffer(String name) {
        RankBuffer buffer = buffers().get(name);
        if (buffer == null) {
            throw new IllegalArgumentException("this test has no buffer '" + name + "'; it declares "
                    + (buffers().isEmpty() ? "none (@Buffer)" : buffers().keySet()));
        }
        return buffer;
    }

    @Override
    public Map<String, RankBuffer> buffers() {
        Map<String, RankBuffer> current = open;
        if (current == null) {
            throw new IllegalStateException("no test is running on this rank: buffers belong to one test, and are"
                    + " filled with zeros before its @BeforeEach methods; use them from there on");
        }
        return current;
    }

    @Override
    public List<TaskArgument> arguments() {
        buffers();
        if (arguments.isEmpty()) {
            throw new IllegalStateException("this test declares no arguments (@KernelArguments)");
        }
        return ArgumentValues.of(arguments, this);
    }

    @Override
    public TaskGraph createGraph(String name) {
        if (runtime().isEmpty()) {
            throw new IllegalStateException("this test names no runtime; put @DeviceRuntime on it, for example"
                    + " @DeviceRuntime(\"" + GraphRuntime.HOST_BUILD_GRAPH.id() + "\")");
        }
        return TaskGraph.create(device, GraphRuntime.of(runtime()), name);
    }

    @Override
    public Orchestration orchestration(String name) {
        return KernelFiles.orchestration(order, files, name);
    }

    @Override
    public Kernel kernel(String name) {
        return kernels.computeIfAbsent(name, n -> KernelFiles.load(device, order, files, n));
    }

    @Override
    public String toString() {
        return "rank " + rank + " of " + worldSize() + " on device " + deviceId() + " (" + platform() + ")";
    }
}
