package org.rankunit.collective.truth;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.rankunit.DType;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Region;
import org.rankunit.collective.Resources;
import org.rankunit.collective.Signal;
import org.rankunit.collective.TaskStream;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.Demand;
import org.rankunit.collective.schedule.Schedule;
import org.rankunit.collective.schedule.TaskKind;

/**
 * A right schedule for a random call: each part of an output comes from the inputs by a random way, by copies, reads, writes and
 * reductions of random ranks on random streams, through buffers that may be used again. Whatever uses the same elements as something before is
 * ordered after it by signals; at the beginning ranks tell each other that they are ready, at the end that they have done.
 */
final class RandomSchedule implements CollectiveAlgorithm {

    private static final int ELEMENT = Integer.BYTES;
    private static final int CCL_ELEMENTS = 4;
    private static final List<Signal> SIGNALS = List.of(Signal.values());
    private static final List<Collective> COLLECTIVES = List.of(
            Collective.BROADCAST,
            Collective.REDUCE,
            Collective.ALL_REDUCE,
            Collective.REDUCE_SCATTER,
            Collective.ALL_GATHER,
            Collective.GATHER,
            Collective.SCATTER);

    /** An element of a buffer. */
    private record Cell(int rank, BufferKind buffer, int element) {

        Region region() {
            return new Region(rank, buffer, (long) element * ELEMENT, ELEMENT);
        }
    }

    /** A task of a rank, on a stream. */
    private record Op(int rank, int stream, TaskKind kind, Cell from, Cell to, int peer, int link) {

        boolean isRdma(CollectiveCall call) {
            return kind.writesThere() && !call.sameServer(rank, peer);
        }

        boolean conflicts(Op other) {
            boolean atOnce = kind == TaskKind.PUT_REDUCE && other.kind == TaskKind.PUT_REDUCE;
            return (to.equals(other.to) && !atOnce) || to.equals(other.from) || from.equals(other.to);
        }
    }

    /** Something that a rank queues. */
    private interface Queued {

        void queue(Orchestration self);
    }

    private final Random random;
    private final CollectiveCall call;
    private final int subStreams;
    /** Those of all ranks, in an order in which they can run. */
    private final List<Op> ops = new ArrayList<>();
    /** What each rank queues. */
    private final List<List<Queued>> queued = new ArrayList<>();

    private final Map<List<Integer>, Integer> links = new HashMap<>();
    private final int[] notifies;

    RandomSchedule(Random random) {
        this.random = random;
        this.call = randomCall();
        this.subStreams = random.nextInt(3) == 0 ? 0 : 1;
        this.notifies = new int[call.ranks()];
        for (int rank = 0; rank < call.ranks(); rank++) {
            queued.add(new ArrayList<>());
        }
        chooseOps();
        queueAll();
    }

    private CollectiveCall randomCall() {
        Collective collective = COLLECTIVES.get(random.nextInt(COLLECTIVES.size()));
        int ranks = random.nextInt(8) == 0 ? 4 : 2 + random.nextInt(2);
        CollectiveCall some = CollectiveCall.of(collective, ranks, DType.INT32, 1)
                .withRanksPerServer(random.nextBoolean() ? ranks : 1 + random.nextInt(ranks));
        return new CollectiveCall(
                collective,
                ranks,
                DType.INT32,
                1,
                List.of(),
                collective.hasRoot() ? random.nextInt(ranks) : 0,
                some.reduction(),
                false,
                some.servers(),
                some.memory(),
                (long) CCL_ELEMENTS * ELEMENT);
    }

    Schedule schedule() {
        return Schedule.of(this, call);
    }

    /** For each element of each output, how it gets there. */
    private void chooseOps() {
        for (int rank = 0; rank < call.ranks(); rank++) {
            for (Demand demand : call.demands(rank)) {
                Cell output =
                        new Cell(rank, BufferKind.OUTPUT, (int) (demand.output().from() / ELEMENT));
                int element = (int) (demand.inputFrom() / ELEMENT);
                if (demand.source() == Demand.ALL) {
                    reduceAll(output, element);
                } else {
                    carry(new Cell(demand.source(), BufferKind.INPUT, element), output);
                }
            }
        }
    }

    /** Copy a value, now and then by way of another cell. */
    private void carry(Cell from, Cell to) {
        if (random.nextInt(3) == 0) {
            Cell between = randomCell();
            add(TaskKind.COPY, from, between);
            add(TaskKind.COPY, between, to);
        } else {
            add(TaskKind.COPY, from, to);
        }
    }

    private void reduceAll(Cell output, int element) {
        Cell sum = random.nextBoolean() ? output : randomCell();
        List<Integer> sources = new ArrayList<>();
        for (int rank = 0; rank < call.ranks(); rank++) {
            sources.add(rank);
        }
        Collections.shuffle(sources, random);
        add(TaskKind.COPY, new Cell(sources.get(0), BufferKind.INPUT, element), sum);
        for (int source : sources.subList(1, sources.size())) {
            add(TaskKind.REDUCE, new Cell(source, BufferKind.INPUT, element), sum);
        }
        if (!sum.equals(output)) {
            add(TaskKind.COPY, sum, output);
        }
    }

    /** A cell in between, used before or not. */
    private Cell randomCell() {
        BufferKind kind = random.nextBoolean() ? BufferKind.CCL_IN : BufferKind.CCL_OUT;
        return new Cell(random.nextInt(call.ranks()), kind, random.nextInt(CCL_ELEMENTS));
    }

    /** By the rank that has the one or the other cell, or both. */
    private void add(TaskKind local, Cell from, Cell to) {
        boolean reduces = local.reduces();
        int stream = random.nextInt(subStreams + 1);
        if (from.rank() == to.rank()) {
            ops.add(new Op(from.rank(), stream, local, from, to, -1, -1));
        } else if (random.nextBoolean()) {
            TaskKind kind = reduces ? TaskKind.PUT_REDUCE : TaskKind.PUT;
            ops.add(new Op(from.rank(), stream, kind, from, to, to.rank(), newLink(from.rank(), to.rank())));
        } else {
            TaskKind kind = reduces ? TaskKind.GET_REDUCE : TaskKind.GET;
            ops.add(new Op(to.rank(), stream, kind, from, to, from.rank(), newLink(to.rank(), from.rank())));
        }
    }

    private int newLink(int one, int other) {
        return links.merge(List.of(Math.min(one, other), Math.max(one, other)), 1, Integer::sum) - 1;
    }

    private int newNotify(int rank) {
        return notifies[rank]++;
    }

    private void queueAll() {
        int ranks = call.ranks();
        // Who is ready.
        everyoneTellsEveryone();
        for (int rank = 0; rank < ranks; rank++) {
            if (subStreams > 0) {
                order(rank, 0, rank, 1);
            }
        }
        for (int number = 0; number < ops.size(); number++) {
            Op op = ops.get(number);
            for (Op before : ops.subList(0, number)) {
                if (before.conflicts(op)) {
                    order(placeOf(before), streamOf(before), op.rank(), op.stream());
                }
            }
            queue(op);
        }
        for (int rank = 0; rank < ranks; rank++) {
            if (subStreams > 0) {
                order(rank, 1, rank, 0);
            }
        }
        everyoneTellsEveryone();
    }

    /** The rank that knows that an operation has ended. */
    private int placeOf(Op op) {
        return op.isRdma(call) ? op.peer() : op.rank();
    }

    private int streamOf(Op op) {
        return op.isRdma(call) ? 0 : op.stream();
    }

    private void everyoneTellsEveryone() {
        for (int rank = 0; rank < call.ranks(); rank++) {
            for (int other = 0; other < call.ranks(); other++) {
                if (other != rank) {
                    order(rank, 0, other, 0);
                }
            }
        }
    }

    private void queue(Op op) {
        queued.get(op.rank()).add(self -> {
            TaskStream stream = stream(self, op.stream());
            Region from = op.from().region();
            Region to = op.to().region();
            switch (op.kind()) {
                case COPY -> stream.copy(from, to);
                case REDUCE -> stream.reduce(from, to);
                case PUT -> stream.put(self.link(op.peer(), op.link()), from, to);
                case GET -> stream.get(self.link(op.peer(), op.link()), from, to);
                case PUT_REDUCE -> stream.putReduce(self.link(op.peer(), op.link()), from, to);
                case GET_REDUCE -> stream.getReduce(self.link(op.peer(), op.link()), from, to);
                default -> throw new IllegalArgumentException(op.toString());
            }
        });
        if (op.isRdma(call)) {
            signal(op.rank(), op.stream(), op.peer(), 0, op.link());
        }
    }

    /** What a stream queues from now on comes after what another one has queued so far. */
    private void order(int rank, int stream, int laterRank, int laterStream) {
        if (rank == laterRank && stream != laterStream) {
            int notify = newNotify(rank);
            queued.get(rank).add(self -> stream(self, stream).post(self.notify(notify)));
            queued.get(rank).add(self -> stream(self, laterStream).waitFor(self.notify(notify)));
        } else if (rank != laterRank) {
            signal(rank, stream, laterRank, laterStream, newLink(rank, laterRank));
        }
    }

    private void signal(int rank, int stream, int peer, int peerStream, int link) {
        Signal signal = SIGNALS.get(random.nextInt(SIGNALS.size()));
        Signal known = call.sameServer(rank, peer) && signal == Signal.DATA_ACK ? Signal.ACK : signal;
        queued.get(rank).add(self -> stream(self, stream).post(self.link(peer, link), known));
        queued.get(peer).add(self -> stream(self, peerStream).waitFor(self.link(rank, link), known));
    }

    private static TaskStream stream(Orchestration self, int number) {
        return number == 0 ? self.main() : self.sub(number - 1);
    }

    @Override
    public Collective collective() {
        return call.collective();
    }

    @Override
    public Resources resources(CollectiveCall asked, int rank) {
        List<Integer> all = new ArrayList<>();
        links.forEach((pair, count) -> {
            if (pair.contains(rank)) {
                all.addAll(Collections.nCopies(count, pair.get(0) == rank ? pair.get(1) : pair.get(0)));
            }
        });
        return new Resources(0, subStreams, notifies[rank], all);
    }

    @Override
    public void orchestrate(Orchestration self) {
        queued.get(self.rank()).forEach(each -> each.queue(self));
    }
}
