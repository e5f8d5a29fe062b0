package org.rankunit.collective.truth;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.rankunit.collective.Region;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.Demand;
import org.rankunit.collective.schedule.NotifyName;
import org.rankunit.collective.schedule.RankSchedule;
import org.rankunit.collective.schedule.Schedule;
import org.rankunit.collective.schedule.Task;
import org.rankunit.collective.truth.Interleavings.Wrong;
import org.rankunit.collective.truth.Step.Kind;

/** A schedule of whole elements, out of place, with numbers in place of names. The value of an element is the list of inputs that are in it. */
final class Program {

    /** Those of the caller come first. */
    private static final List<BufferKind> KINDS =
            List.of(BufferKind.INPUT, BufferKind.OUTPUT, BufferKind.CCL_IN, BufferKind.CCL_OUT, BufferKind.SCRATCH);

    private final Schedule schedule;
    private final CollectiveCall call;
    private final List<List<Step>> streams = new ArrayList<>();
    private final List<Integer> ranksOfStreams = new ArrayList<>();
    private final List<Step> steps = new ArrayList<>();
    private final Map<NotifyName, Integer> notifies = new HashMap<>();
    private final Map<List<Integer>, Integer> wires = new HashMap<>();
    private final int[][] firsts;
    private final int cells;

    Program(Schedule schedule) throws Wrong {
        this.schedule = schedule;
        this.call = schedule.call();
        if (call.inPlace()) {
            throw new IllegalArgumentException("in place: " + call);
        }
        this.firsts = new int[call.ranks()][KINDS.size() + 1];
        int cell = 0;
        for (int rank = 0; rank < call.ranks(); rank++) {
            for (int kind = 0; kind < KINDS.size(); kind++) {
                firsts[rank][kind] = cell;
                cell += elements(schedule.bufferBytes(KINDS.get(kind), rank));
            }
            firsts[rank][KINDS.size()] = cell;
        }
        this.cells = cell;
        for (RankSchedule rank : schedule.ranks()) {
            addStreams(rank);
        }
    }

    private int elements(long bytes) {
        if (bytes % call.elementBytes() != 0) {
            throw new IllegalArgumentException(bytes + " bytes are no whole elements");
        }
        return Math.toIntExact(bytes / call.elementBytes());
    }

    private void addStreams(RankSchedule rank) throws Wrong {
        List<Task> tasks = rank.tasks();
        for (int number = 0; number < rank.streams(); number++) {
            List<Step> own = new ArrayList<>();
            streams.add(own);
            ranksOfStreams.add(rank.rank());
            if (number == 0) {
                add(own, callerOf(rank.rank()));
            }
            for (Task task : tasks) {
                if (task.stream() == number) {
                    add(own, stepOf(task));
                }
            }
        }
    }

    private void add(List<Step> stream, Step step) {
        stream.add(step);
        steps.add(step);
    }

    private Step callerOf(int rank) {
        int from = firsts[rank][0];
        int count = firsts[rank][KINDS.indexOf(BufferKind.SCRATCH)] - from;
        String text = "the caller of rank " + rank;
        return new Step(
                steps.size(), rank, streams.size() - 1, Kind.CALLER, -1, -1, from, from, count, false, false, text);
    }

    private Step stepOf(Task task) throws Wrong {
        int stream = streams.size() - 1;
        NotifyName notify = task.signalled();
        if (notify != null) {
            int number = notifies.computeIfAbsent(notify, key -> notifies.size());
            return switch (task.kind()) {
                case POST -> {
                    int wire = notify.isLocal() ? -1 : wire(task.rank(), notify.owner(), notify.link());
                    yield new Step(
                            steps.size(),
                            task.rank(),
                            stream,
                            Kind.POST,
                            wire,
                            number,
                            0,
                            0,
                            0,
                            false,
                            false,
                            task.toString());
                }
                default ->
                    new Step(
                            steps.size(),
                            task.rank(),
                            stream,
                            Kind.WAIT,
                            -1,
                            number,
                            0,
                            0,
                            0,
                            false,
                            false,
                            task.toString());
            };
        }
        Region from = task.from();
        Region to = task.to();
        if (from == null || to == null) {
            throw new IllegalArgumentException("no data: " + task);
        }
        int count = elements(from.bytes());
        int source = cell(from);
        int target = cell(to);
        boolean reduces = task.kind().reduces();
        if (Step.overlap(source, count, target, count) && (reduces || source != target)) {
            throw new Wrong("source and target overlap: " + task);
        }
        boolean there = to.rank() != task.rank();
        int wire = there ? wire(task.rank(), to.rank(), task.link()) : -1;
        return new Step(
                steps.size(),
                task.rank(),
                stream,
                Kind.MOVE,
                wire,
                -1,
                source,
                target,
                count,
                reduces,
                reduces && there,
                task.toString());
    }

    private int cell(Region region) throws Wrong {
        if (region.from() + region.bytes() > schedule.bufferBytes(region.buffer(), region.rank())) {
            throw new Wrong("out of bounds: " + region);
        }
        return firsts[region.rank()][KINDS.indexOf(region.buffer())] + elements(region.from());
    }

    /** The wire to a rank of another server. */
    private int wire(int rank, int peer, int link) {
        return call.sameServer(rank, peer) ? -1 : wires.computeIfAbsent(List.of(rank, peer, link), key -> wires.size());
    }

    int ranks() {
        return call.ranks();
    }

    /** The steps of all streams in one call. */
    List<List<Step>> streams() {
        return streams;
    }

    int rankOf(int stream) {
        return ranksOfStreams.get(stream);
    }

    Step step(int number) {
        return steps.get(number);
    }

    int wires() {
        return wires.size();
    }

    int notifies() {
        return notifies.size();
    }

    /** Number of elements of all buffers of all ranks. */
    int cells() {
        return cells;
    }

    /** A value with the inputs of both. */
    static int[] together(int[] one, int[] other) {
        int[] both = Arrays.copyOf(one, one.length + other.length);
        System.arraycopy(other, 0, both, one.length, other.length);
        Arrays.sort(both);
        return both;
    }

    /** A number for an element of the input of a rank in a call. */
    private int input(int rank, int call, int element) {
        return (call * ranks() + rank) * cells + element;
    }

    void writeInput(int rank, int numberOfCall, int[][] memory) {
        for (int i = 0; i < elements(call.inputBytes(rank)); i++) {
            memory[firsts[rank][0] + i] = new int[] {input(rank, numberOfCall, i)};
        }
    }

    void checkResult(int rank, int numberOfCall, int[][] memory) throws Wrong {
        for (int i = 0; i < elements(call.inputBytes(rank)); i++) {
            check(memory[firsts[rank][0] + i], new int[] {input(rank, numberOfCall, i)}, "input of rank " + rank);
        }
        for (Demand demand : call.demands(rank)) {
            int first = elements(demand.output().from());
            for (int i = 0; i < elements(demand.output().bytes()); i++) {
                int element = elements(demand.inputFrom()) + i;
                int[] expected = demand.source() == Demand.ALL
                        ? new int[ranks()]
                        : new int[] {input(demand.source(), numberOfCall, element)};
                for (int source = 0; source < ranks() && demand.source() == Demand.ALL; source++) {
                    expected[source] = input(source, numberOfCall, element);
                }
                check(memory[firsts[rank][1] + first + i], expected, "output of rank " + rank);
            }
        }
    }

    private static void check(int[] value, int[] expected, String what) throws Wrong {
        if (!Arrays.equals(value, expected)) {
            throw new Wrong("wrong " + what);
        }
    }
}
