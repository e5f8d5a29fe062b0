package org.rankunit.distributed.pe.run;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.rankunit.distributed.pe.Direction;
import org.rankunit.distributed.pe.PeAlgorithm;
import org.rankunit.distributed.pe.PeTopology;

/** Who is connected with whom: for each processing element and direction, the queue pair at the other end. */
final class QueuePairs {

    /**
     * One end of a queue pair.
     *
     * @param direction of the rank's queue pair
     */
    record End(int rank, Direction direction) {

        @Override
        public String toString() {
            return "the " + direction + " of PE " + rank;
        }
    }

    private final List<Map<Direction, End>> ends;

    private QueuePairs(List<Map<Direction, End>> ends) {
        this.ends = ends;
    }

    /**
     * Connect neighbours.
     *
     * @throws IllegalArgumentException if a neighbour is no rank or the same rank, or does not know the other end
     */
    static QueuePairs of(PeAlgorithm algorithm, PeTopology topology, int worldSize) {
        List<Map<Direction, Integer>> neighbours = new ArrayList<>();
        for (int rank = 0; rank < worldSize; rank++) {
            Map<Direction, Integer> own = new EnumMap<>(Direction.class);
            own.putAll(algorithm.neighbours(topology, rank, worldSize));
            neighbours.add(own);
        }
        List<Map<Direction, End>> ends = new ArrayList<>();
        Map<End, End> senders = new HashMap<>();
        for (int rank = 0; rank < worldSize; rank++) {
            Map<Direction, End> own = new EnumMap<>(Direction.class);
            for (Map.Entry<Direction, Integer> entry : neighbours.get(rank).entrySet()) {
                End end = new End(rank, entry.getKey());
                End other = otherEnd(neighbours, rank, entry.getKey(), entry.getValue());
                End rival = senders.put(other, end);
                if (rival != null) {
                    throw new IllegalArgumentException(rival + " and " + end + " both lead to " + other);
                }
                own.put(entry.getKey(), other);
            }
            ends.add(own);
        }
        return new QueuePairs(ends);
    }

    private static End otherEnd(List<Map<Direction, Integer>> neighbours, int rank, Direction direction, int peer) {
        String place = "PE " + rank + " has the neighbour " + peer + " at the " + direction;
        if (peer < 0 || peer >= neighbours.size() || peer == rank) {
            throw new IllegalArgumentException(place + ", which is not another PE of a world of " + neighbours.size());
        }
        Map<Direction, Integer> theirs = neighbours.get(peer);
        if (theirs.getOrDefault(direction.opposite(), -1) == rank) {
            return new End(peer, direction.opposite());
        }
        List<Direction> back = theirs.entrySet().stream()
                .filter(entry -> entry.getValue() == rank)
                .map(Map.Entry::getKey)
                .toList();
        if (back.size() != 1) {
            throw new IllegalArgumentException(place + ", which has it at " + back
                    + ": one end is needed, or the one at" + " the " + direction.opposite());
        }
        return new End(peer, back.get(0));
    }

    Map<Direction, End> of(int rank) {
        return ends.get(rank);
    }
}
