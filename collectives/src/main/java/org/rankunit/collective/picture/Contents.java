package org.rankunit.collective.picture;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.Demand;
import org.rankunit.collective.schedule.RankSchedule;
import org.rankunit.collective.schedule.Schedule;
import org.rankunit.collective.verify.finding.Findings;
import org.rankunit.collective.verify.memory.Expressions;
import org.rankunit.collective.verify.memory.Memory;
import org.rankunit.collective.verify.memory.SymbolicBuffer;
import org.rankunit.collective.verify.order.Clock;
import org.rankunit.collective.verify.order.Streams;

/** What the chunks of all ranks hold whenever a task that moves data has ended: computed by running all tasks on symbols. */
final class Contents {

    private final Schedule schedule;
    private final CollectiveCall call;
    private final Chunks chunks;
    private final Streams streams;
    private final Memory memory;
    private final Expressions expressions;
    private final Holdings holdings;
    /** All that has happened: here tasks run one after the other, and the verifier looks for races. */
    private final Clock now;

    private final TreeMap<Long, State> states = new TreeMap<>();
    private final Set<Place> wrong = new HashSet<>();

    /** One chunk of one rank. */
    record Place(int rank, BufferKind kind, int chunk) {}

    /** The cells of all ranks: of each rank and buffer those of its chunks. */
    record State(List<Map<BufferKind, List<Cell>>> ranks) {

        List<Cell> of(int rank, BufferKind kind) {
            return ranks.get(rank).getOrDefault(kind, List.of());
        }
    }

    private Contents(Schedule schedule, Chunks chunks) {
        this.schedule = schedule;
        this.call = schedule.call();
        this.chunks = chunks;
        this.streams = new Streams(schedule, 1);
        this.expressions = new Expressions(call.ranks());
        this.memory = new Memory(schedule, streams, expressions, new Findings());
        this.holdings = new Holdings(call, expressions);
        this.now = streams.newClock();
    }

    static Contents of(Schedule schedule, Chunks chunks, List<Item> items, boolean ended) {
        Contents contents = new Contents(schedule, chunks);
        contents.run(items);
        if (ended) {
            contents.compare();
        }
        return contents;
    }

    private void run(List<Item> items) {
        for (int rank = 0; rank < call.ranks(); rank++) {
            for (int stream = streams.first(rank); stream < streams.end(rank); stream++) {
                long epoch = begin(stream);
                if (streams.isMain(stream)) {
                    memory.callerWrites(rank, epoch, now);
                }
            }
        }
        long last = 0;
        // The sort is stable: of tasks that end together, those come first that others depend on.
        for (Item item :
                items.stream().sorted(Comparator.comparingLong(Item::end)).toList()) {
            if (item.end() > last) {
                states.put(last, state());
                last = item.end();
            }
            long epoch = begin(streams.first(item.task().rank()) + item.task().stream());
            if (item.task().kind().movesData()) {
                RankSchedule rank = schedule.rank(item.task().rank());
                memory.move(rank, item.number(), epoch, now);
            }
        }
        states.put(last, state());
        dropEqual();
    }

    private long begin(int stream) {
        long epoch = streams.begin(stream);
        now.join(streams.clock(stream));
        return epoch;
    }

    /** Moments at which only signals were exchanged are not worth a column. */
    private void dropEqual() {
        State before = null;
        for (long time : List.copyOf(states.keySet())) {
            State state = states.get(time);
            if (state == null || state.equals(before)) {
                states.remove(time);
            } else {
                before = state;
            }
        }
    }

    private State state() {
        List<Map<BufferKind, List<Cell>>> ranks = new ArrayList<>();
        for (int rank = 0; rank < call.ranks(); rank++) {
            Map<BufferKind, List<Cell>> ofRank = new EnumMap<>(BufferKind.class);
            for (BufferKind kind : chunks.kinds()) {
                List<Cell> cells = new ArrayList<>();
                SymbolicBuffer buffer = memory.buffer(rank, kind);
                for (Chunks.Chunk chunk : chunks.of(kind)) {
                    if (chunk.end() <= buffer.bytes()) {
                        cells.add(holdings.of(buffer, chunk));
                    }
                }
                ofRank.put(kind, List.copyOf(cells));
            }
            ranks.add(ofRank);
        }
        return new State(ranks);
    }

    /** Find the chunks of outputs that do not hold what the collective demands. */
    private void compare() {
        for (int rank = 0; rank < call.ranks(); rank++) {
            boolean inInput = call.inPlace() && !call.inputLiesInOutput(rank);
            BufferKind kind = inInput ? BufferKind.INPUT : BufferKind.OUTPUT;
            long offset = inInput ? call.inPlaceOffset(rank) : 0;
            for (Demand demand : call.demands(rank)) {
                compare(rank, kind, offset + demand.output().from(), demand);
            }
        }
    }

    private void compare(int rank, BufferKind kind, long from, Demand demand) {
        SymbolicBuffer buffer = memory.buffer(rank, kind);
        long end = from + demand.output().bytes();
        for (int part = buffer.partAt(from); part < buffer.parts() && buffer.start(part) < end; part++) {
            int expression = buffer.expression(part);
            boolean holds = demand.source() == Demand.ALL
                    ? expressions.isAllOnce(expression)
                    : expression == expressions.leaf(demand.source());
            if (!holds || buffer.shift(part) != demand.inputFrom() - from) {
                mark(rank, kind, Math.max(from, buffer.start(part)), Math.min(end, buffer.end(part)));
            }
        }
    }

    private void mark(int rank, BufferKind kind, long from, long end) {
        List<Chunks.Chunk> all = chunks.of(kind);
        for (int number = 0; number < all.size(); number++) {
            if (all.get(number).from() < end && all.get(number).end() > from) {
                wrong.add(new Place(rank, kind, number));
            }
        }
    }

    /** What is held from each moment on, in picoseconds. */
    SortedMap<Long, State> states() {
        return states;
    }

    /** Whether a chunk of an output holds something else at the end than the collective demands. */
    boolean isWrong(int rank, BufferKind kind, int chunk) {
        return wrong.contains(new Place(rank, kind, chunk));
    }
}
