package org.rankunit.collective.exchange.msccl.export;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.exchange.msccl.program.Chunks;
import org.rankunit.collective.exchange.msccl.program.StepType;

/** The threadblocks of a rank. A step waits for those before it that use the same chunks, unless all of them only read. */
final class RankLanes {

    /** How many threadblocks may use a channel in one direction. */
    private static final int MAX_OF_CHANNEL = 32;

    private static final int NONE = -1;

    private record Peers(int send, int recv) {}

    private record Cell(BufferKind buffer, int chunk) {}

    /** Who has used a chunk. */
    private static final class Use {

        private @Nullable Move writer;
        private final Map<Lane, Move> readers = new HashMap<>();
    }

    private final int rank;
    private final int ranks;
    private final Map<Peers, Lane> lanes = new LinkedHashMap<>();
    private final Map<Cell, Use> uses = new HashMap<>();

    RankLanes(int rank, int ranks) {
        this.rank = rank;
        this.ranks = ranks;
    }

    List<Lane> all() {
        return new ArrayList<>(lanes.values());
    }

    void inside(StepType type, Chunks source, Chunks target) {
        add(lane(NONE, NONE, 0), type, source, target);
    }

    void send(int to, Chunks source, Chunks target) {
        add(lane(to, NONE, channel(rank, to)), StepType.SEND, source, target);
    }

    void receive(int from, boolean reduces, Chunks source, Chunks target) {
        Lane lane = lane(NONE, from, channel(from, rank));
        if (reduces) {
            add(lane, StepType.RECEIVE_REDUCE_COPY, target, target);
        } else {
            add(lane, StepType.RECEIVE, source, target);
        }
    }

    private int channel(int from, int to) {
        return Math.floorMod(to - from, ranks) / MAX_OF_CHANNEL;
    }

    private Lane lane(int send, int recv, int channel) {
        return lanes.computeIfAbsent(new Peers(send, recv), peers -> new Lane(lanes.size(), send, recv, channel));
    }

    private void add(Lane lane, StepType type, Chunks source, Chunks target) {
        Move move = new Move(lane, type, source, target);
        if (type.reads()) {
            for (int chunk = source.from(); chunk < source.end(); chunk++) {
                Use use = use(source.buffer(), chunk);
                if (use.writer != null) {
                    move.comesAfter(use.writer);
                }
            }
        }
        if (type.writes()) {
            for (int chunk = target.from(); chunk < target.end(); chunk++) {
                Use use = use(target.buffer(), chunk);
                if (use.writer != null) {
                    move.comesAfter(use.writer);
                }
                use.readers.values().forEach(move::comesAfter);
            }
        }
        remember(move);
        lane.add(move);
    }

    private void remember(Move move) {
        Chunks source = move.source();
        for (int chunk = source.from(); chunk < source.end() && move.type().reads(); chunk++) {
            use(source.buffer(), chunk).readers.put(move.lane(), move);
        }
        Chunks target = move.target();
        for (int chunk = target.from(); chunk < target.end() && move.type().writes(); chunk++) {
            Use use = use(target.buffer(), chunk);
            use.writer = move;
            use.readers.clear();
        }
    }

    private Use use(BufferKind buffer, int chunk) {
        return uses.computeIfAbsent(new Cell(buffer, chunk), cell -> new Use());
    }
}
