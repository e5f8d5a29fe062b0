package org.rankunit.engine.check.program;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.rankunit.RankContext;
import org.rankunit.Values;
import org.rankunit.device.Cores;
import org.rankunit.device.Device;
import org.rankunit.device.Event;
import org.rankunit.device.Notify;
import org.rankunit.device.SignalOperation;
import org.rankunit.device.Stream;
import org.rankunit.graph.GraphKernel;
import org.rankunit.graph.GraphTask;
import org.rankunit.graph.TaskArgument;
import org.rankunit.graph.TaskGraph;

/**
 * Runs one rank's part of a program on its device. Hosts and threads signal and wait by a stream of their own, for which they
 * wait each time, since a host has no signals. Cells and buffers lie in the windows of the ranks in turn.
 */
public final class RankRun implements AutoCloseable {

    /** Of the kernel that does the steps of a block. */
    public static final String KERNEL = "steps";

    /** The buffers of a rank, at the same place of each window. */
    public static final String BUFFERS = "buffers";

    private static final int BYTES = Compiled.PARTS * Integer.BYTES;

    private final RankContext rank;
    private final Program program;
    private final Device device;

    /** Of streams, and of hosts and threads for their signals. */
    private final Map<Integer, Stream> streams = new HashMap<>();

    private final Map<Integer, Thread> threads = new HashMap<>();
    private final Map<Step, Event> events = new HashMap<>();
    private final Map<Step, CountDownLatch> latches = new HashMap<>();
    private final Map<Integer, Notify> notifies = new HashMap<>();
    private final Map<Integer, Integer> done = new HashMap<>();

    /** Of accesses, by actor and step: what they write, or have read. */
    private final Map<Integer, ByteBuffer> values = new TreeMap<>();

    private volatile @Nullable Throwable failure;

    /** Prepare a program; all ranks do so. */
    public RankRun(RankContext rank, Program program) {
        this.rank = rank;
        this.program = program;
        this.device = rank.device();
        rank.barrier();
        device.zero(rank.semaphoreBase(), rank.buffer(BUFFERS).address() - rank.semaphoreBase());
        rank.buffer(BUFFERS).write(new int[rank.buffer(BUFFERS).count()]);
        shareNotifies();
        for (int actor = 0; actor < program.steps().size(); actor++) {
            if (program.rankOf(actor) == rank.rank()) {
                streams.put(actor, device.createStream());
                prepare(actor, program.steps().get(actor));
            }
        }
        rank.barrier();
    }

    /** Do all that this rank's host, streams and threads do, and wait for the end. */
    public void run() {
        runHost(rank.rank());
        threads.values().forEach(RankRun::join);
        Throwable thrown = failure;
        if (thrown != null) {
            throw new IllegalStateException(thrown);
        }
        streams.values().forEach(Stream::synchronize);
    }

    /** When all ranks have done that: what accesses have found, and what the memory of this rank holds. */
    public List<Integer> result() {
        rank.barrier();
        List<Integer> result = new ArrayList<>();
        values.values().forEach(memory -> result.add(memory.getInt(0)));
        for (int value : rank.buffer(BUFFERS).readInts()) {
            result.add(value);
        }
        return result;
    }

    @Override
    public void close() {
        streams.values().forEach(Stream::close);
        events.values().forEach(Event::close);
    }

    /** All that actors share is made before they begin, so that nothing but their steps orders them. */
    private void prepare(int actor, List<Step> steps) {
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            if (step instanceof Step.Access access) {
                int value = valueOf(actor, i);
                values.put(value, memory(access.write() ? value : 0));
            } else if (step instanceof Step.RecordEvent) {
                events.put(step, device.createEvent());
            } else if (step instanceof Step.Release) {
                latches.put(step, new CountDownLatch(1));
            }
        }
    }

    /** Who waits for a notify makes it, and all ranks get it. They are never closed, so that none is left out of the check. */
    private void shareNotifies() {
        List<Integer> owners = program.owners();
        StringBuilder own = new StringBuilder();
        for (int number = 0; number < owners.size(); number++) {
            if (owners.get(number) == rank.rank()) {
                Notify notify = device.createNotify();
                notifies.put(number, notify);
                own.append(notify.exportKey()).append('\n');
            }
        }
        if (owners.isEmpty()) {
            return;
        }
        List<Iterator<String>> keys =
                rank.allGather(Values.int8(own.toString().getBytes(StandardCharsets.UTF_8))).stream()
                        .map(values -> new String(values.toBytes(), StandardCharsets.UTF_8)
                                .lines()
                                .iterator())
                        .toList();
        for (int number = 0; number < owners.size(); number++) {
            String key = keys.get(owners.get(number)).next();
            notifies.computeIfAbsent(number, absent -> device.importNotify(key));
        }
    }

    private long cell(int number) {
        return inWindow(number, rank.semaphoreBase() + number * (long) Integer.BYTES);
    }

    private long buffer(int number) {
        return inWindow(number, rank.buffer(BUFFERS).address() + number * (long) BYTES);
    }

    private long inWindow(int number, long own) {
        List<RankContext.Peer> peers = rank.peers();
        return peers.get(number % peers.size()).addressOf(peers.get(rank.rank()), own);
    }

    private static int valueOf(int actor, int index) {
        return 1 + actor * 1000 + index;
    }

    private void runHost(int actor) {
        List<Step> steps = program.steps().get(actor);
        for (int i = 0; i < steps.size(); i++) {
            runOnHost(actor, i, steps.get(i));
        }
    }

    private void runOnHost(int actor, int index, Step step) {
        if (step instanceof Step.Access access) {
            access(actor, index, access);
        } else if (step instanceof Step.Enqueue enqueue) {
            int work = done.merge(enqueue.stream(), 1, Integer::sum) - 1;
            enqueue(
                    enqueue.stream(),
                    work,
                    program.steps().get(enqueue.stream()).get(work));
        } else if (step instanceof Step.Synchronize synchronize) {
            streamOf(synchronize.stream()).synchronize();
        } else if (step instanceof Step.Barrier) {
            rank.barrier();
        } else if (step instanceof Step.Graph graph) {
            run(graph);
        } else if (step instanceof Step.Start start) {
            start(start.thread());
        } else if (step instanceof Step.Join join) {
            join(Objects.requireNonNull(threads.get(join.thread())));
        } else if (step instanceof Step.Release) {
            Objects.requireNonNull(latches.get(step)).countDown();
        } else if (step instanceof Step.Acquire acquire) {
            await(Objects.requireNonNull(latches.get(acquire.released())));
        } else if (!(step instanceof Step.Begin)) {
            enqueue(actor, index, step);
            streamOf(actor).synchronize();
        }
    }

    private Stream streamOf(int actor) {
        return Objects.requireNonNull(streams.get(actor));
    }

    private void start(int actor) {
        Thread thread = new Thread(() -> {
            try {
                runHost(actor);
            } catch (RuntimeException | Error e) {
                failure = e;
            }
        });
        threads.put(actor, thread);
        thread.start();
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void access(int actor, int index, Step.Access access) {
        ByteBuffer memory = memoryOf(actor, index);
        if (access.write()) {
            device.copyIn(buffer(access.buffer()), memory);
        } else {
            device.copyOut(buffer(access.buffer()), memory);
        }
    }

    private ByteBuffer memoryOf(int actor, int index) {
        return Objects.requireNonNull(values.get(valueOf(actor, index)));
    }

    private static ByteBuffer memory(int value) {
        ByteBuffer memory = ByteBuffer.allocateDirect(BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (int part = 0; part < Compiled.PARTS; part++) {
            memory.putInt(part * Integer.BYTES, value);
        }
        return memory;
    }

    private void enqueue(int actor, int index, Step step) {
        Stream stream = streamOf(actor);
        if (step instanceof Step.Access access && access.write()) {
            stream.copyIn(buffer(access.buffer()), memoryOf(actor, index));
        } else if (step instanceof Step.Access access) {
            stream.copyOut(memoryOf(actor, index), buffer(access.buffer()));
        } else if (step instanceof Step.Kernel kernel) {
            stream.launch(rank.kernel(KERNEL), kernel.blocks().size(), Cores.VECTOR, argumentsOf(actor, index, kernel));
        } else if (step instanceof Step.Signal signal) {
            stream.signal(
                    cell(signal.cell()), signal.add() ? SignalOperation.ADD : SignalOperation.SET, signal.value());
        } else if (step instanceof Step.Wait wait) {
            stream.waitUntil(cell(wait.cell()), wait.comparison(), wait.value());
        } else if (step instanceof Step.Post post) {
            stream.post(Objects.requireNonNull(notifies.get(post.number())));
        } else if (step instanceof Step.Take take) {
            stream.waitFor(Objects.requireNonNull(notifies.get(take.number())));
        } else if (step instanceof Step.RecordEvent) {
            stream.record(Objects.requireNonNull(events.get(step)));
        } else if (step instanceof Step.WaitEvent wait) {
            stream.waitFor(Objects.requireNonNull(events.get(wait.recorded())));
        } else {
            throw new IllegalArgumentException(step + " is no work of a stream");
        }
    }

    private void run(Step.Graph graph) {
        try (TaskGraph tasks = rank.createGraph("g")) {
            GraphKernel kernel = tasks.kernel(rank.kernel(KERNEL), Cores.VECTOR);
            List<GraphTask> made = new ArrayList<>();
            for (int i = 0; i < graph.tasks().size(); i++) {
                Step.Task task = graph.tasks().get(i);
                List<Integer> buffers = List.of(task.buffer());
                List<TaskArgument> arguments = argumentsOf(
                        task.write() ? List.of() : buffers,
                        task.write() ? buffers : List.of(),
                        -1,
                        valueOf(500, made.size()),
                        List.of(task.inside()));
                GraphTask self = tasks.task("task " + i, kernel, 1, arguments);
                task.after().forEach(earlier -> self.after(made.get(earlier)));
                made.add(self);
            }
            tasks.run();
        }
    }

    private List<TaskArgument> argumentsOf(int actor, int index, Step.Kernel kernel) {
        int divided =
                kernel.blocks().size() > 1 ? program.dividedKernelsBefore(actor, index) % Compiled.MOST_KERNELS : -1;
        return argumentsOf(kernel.reads(), kernel.writes(), divided, valueOf(actor, index), kernel.blocks());
    }

    /** As {@link #SOURCE} takes them. */
    private List<TaskArgument> argumentsOf(
            List<Integer> reads, List<Integer> writes, int divided, int value, List<List<Step>> blocks) {
        List<TaskArgument> arguments = new ArrayList<>();
        scalars(arguments, reads.size(), writes.size(), divided, value);
        reads.forEach(buffer -> arguments.add(TaskArgument.in(buffer(buffer), BYTES)));
        writes.forEach(buffer -> arguments.add(TaskArgument.out(buffer(buffer), BYTES)));
        for (List<Step> block : blocks) {
            scalars(arguments, block.size());
            for (Step step : block) {
                if (step instanceof Step.Wait wait) {
                    scalars(arguments, 0, cell(wait.cell()), wait.comparison().number(), wait.value());
                } else if (step instanceof Step.Signal signal) {
                    scalars(arguments, 1, cell(signal.cell()), signal.add() ? 1 : 0, signal.value());
                } else {
                    throw new IllegalArgumentException(step + " is no step of a block");
                }
            }
        }
        return arguments;
    }

    private static void scalars(List<TaskArgument> arguments, long... values) {
        for (long value : values) {
            arguments.add(TaskArgument.scalar(value));
        }
    }

    /** Of the kernel: waits, then reads, then writes, and signals, as far as a block has them. */
    public static final String SOURCE = """
            #include <rankunit/kernel.h>

            namespace {
            constexpr uint64_t kParts = 16;

            void read(const uint64_t *args, uint64_t count) {
                for (uint64_t i = 0; i < count; i++) {
                    for (uint64_t part = 0; part < kParts; part++) {
                        (void)*const_cast<const volatile int32_t *>(rankunit_pointer<int32_t>(args[i]) + part);
                    }
                }
            }

            void write(const KernelEnv *env, const uint64_t *args, uint64_t count, int64_t divided, int32_t value) {
                for (uint64_t i = 0; i < count; i++) {
                    for (uint64_t part = 0; part < kParts; part++) {
                        if (divided < 0 || (part >> divided & 1) == env->block) {
                            rankunit_pointer<int32_t>(args[i])[part] = value;
                        }
                    }
                }
            }
            }

            RANKUNIT_BLOCK_KERNEL(steps)(const KernelEnv *env, const uint64_t *args, int) {
                const uint64_t reads = args[0];
                const uint64_t writes = args[1];
                const auto divided = static_cast<int64_t>(args[2]);
                const auto value = static_cast<int32_t>(args[3]);
                const uint64_t *buffers = args + 4;
                const uint64_t *steps = buffers + reads + writes;
                for (uint32_t block = 0; block < env->block; block++) steps += 1 + 4 * *steps;
                const uint64_t count = *steps++;
                uint64_t readAt = 0;
                uint64_t writeAt = count;
                for (uint64_t i = 0; i < count; i++) {
                    if (steps[4 * i] == 0) readAt = i + 1;
                    else if (writeAt > i) writeAt = i;
                }
                for (uint64_t i = 0; i <= count; i++) {
                    if (i == readAt) read(buffers, reads);
                    if (i == writeAt) write(env, buffers + reads, writes, divided, value);
                    if (i == count) break;
                    const uint64_t *step = steps + 4 * i;
                    int32_t *cell = rankunit_pointer<int32_t>(step[1]);
                    const auto operand = static_cast<int32_t>(step[3]);
                    if (step[0] == 0) rankunit_wait(env, cell, static_cast<KernelCompare>(step[2]), operand);
                    else rankunit_signal(env, cell, step[2] == 1 ? KERNEL_SIGNAL_ADD : KERNEL_SIGNAL_SET, operand);
                }
                return 0;
            }
            """;
}
