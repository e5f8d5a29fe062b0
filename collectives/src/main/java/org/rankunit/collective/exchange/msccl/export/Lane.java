package org.rankunit.collective.exchange.msccl.export;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A threadblock that is being made: what is sent to one rank, what is received from one, or what a rank does by itself. */
final class Lane {

    private final int id;
    private final int send;
    private final int recv;
    private final int channel;
    private final List<Move> moves = new ArrayList<>();
    /** The last move of each other threadblock for which this one has waited. */
    private final Map<Lane, Integer> awaited = new HashMap<>();

    Lane(int id, int send, int recv, int channel) {
        this.id = id;
        this.send = send;
        this.recv = recv;
        this.channel = channel;
    }

    int id() {
        return id;
    }

    int send() {
        return send;
    }

    int recv() {
        return recv;
    }

    int channel() {
        return channel;
    }

    List<Move> moves() {
        return moves;
    }

    /** Add what comes after all others; it waits for those of its dependencies for which no earlier one has waited. */
    void add(Move move) {
        moves.add(move);
        move.dependencies().values().removeIf(other -> {
            boolean known = other.lane() == this || awaited.getOrDefault(other.lane(), -1) >= other.number();
            if (!known) {
                awaited.put(other.lane(), other.number());
                other.flag();
            }
            return known;
        });
    }
}
