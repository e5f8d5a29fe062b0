package org.rankunit.engine.hang;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.rankunit.comm.recorder.FlightRecorder;
import org.rankunit.engine.hang.HangSummary.Position;
import org.rankunit.engine.protocol.CommOperation;

/**
 * Finds ranks that wait for each other in a cycle that none of them can leave.
 *
 * <p>A rank is in at most one operation of its communicator at a time, and that operation ends once all of its ranks have entered
 * it. A rank outside of the test waits until the others are outside, too. Both wait for all the others, so a single cycle is enough
 * for a deadlock. The positions need not have been taken at the same time: for the first rank of a cycle to leave its operation,
 * the next one would have to have left its own before.
 */
final class WaitCycle {

    private final SortedMap<Integer, Position> positions;
    private final Predicate<CommOperation> holds;

    private WaitCycle(SortedMap<Integer, Position> positions, Predicate<CommOperation> holds) {
        this.positions = positions;
        this.holds = holds;
    }

    /**
     * Find a cycle that will not end before something outside of it happens. Each rank of the list waits for the next one, and the
     * last for the first. The list is empty if no cycle is certain.
     *
     * <p>A rank may count as outside only if it was outside before any of the positions was reported, and still is.
     */
    static List<Integer> proven(SortedMap<Integer, Position> positions) {
        return certain(positions).shortest();
    }

    private static WaitCycle certain(SortedMap<Integer, Position> positions) {
        return new WaitCycle(positions, operation -> operation.isEntered() && !operation.limited());
    }

    /** Whether a rank is in an operation without a limit that another rank has not reached. */
    static boolean isHeldUp(SortedMap<Integer, Position> positions, int rank) {
        WaitCycle waits = certain(positions);
        return positions.keySet().stream().anyMatch(other -> waits.waitsFor(rank, other));
    }

    /** Find a cycle among operations that ranks are in, or came out of without success. */
    static List<Integer> seen(SortedMap<Integer, Position> positions) {
        return new WaitCycle(positions, CommOperation::isOpen).shortest();
    }

    /** The other ranks that a rank waits for, in an operation that it is in or came out of without success. */
    static List<Integer> awaitedBy(SortedMap<Integer, Position> positions, int rank) {
        WaitCycle waits = new WaitCycle(positions, CommOperation::isOpen);
        return positions.keySet().stream()
                .filter(other -> waits.waitsFor(rank, other))
                .toList();
    }

    private List<Integer> shortest() {
        List<Integer> shortest = List.of();
        for (int rank : positions.keySet()) {
            List<Integer> cycle = through(rank);
            if (!cycle.isEmpty() && (shortest.isEmpty() || cycle.size() < shortest.size())) {
                shortest = cycle;
            }
        }
        return shortest;
    }

    /** The shortest cycle through one rank, by breadth-first search; empty if there is none. */
    private List<Integer> through(int start) {
        Map<Integer, Integer> cameFrom = new HashMap<>();
        Deque<Integer> open = new ArrayDeque<>(List.of(start));
        while (!open.isEmpty()) {
            int rank = open.remove();
            for (int next : positions.keySet()) {
                if (cameFrom.containsKey(next) || !waitsFor(rank, next)) {
                    continue;
                }
                cameFrom.put(next, rank);
                if (next == start) {
                    return path(cameFrom, start);
                }
                open.add(next);
            }
        }
        return List.of();
    }

    private static List<Integer> path(Map<Integer, Integer> cameFrom, int start) {
        List<Integer> path = new ArrayList<>();
        int rank = start;
        do {
            rank = Objects.requireNonNull(cameFrom.get(rank));
            path.add(0, rank);
        } while (rank != start);
        return path;
    }

    private boolean waitsFor(int rank, int other) {
        if (rank == other) {
            return false;
        }
        Position position = positions.get(rank);
        if (position instanceof Position.Outside) {
            return positions.get(other) instanceof Position.There;
        }
        return position instanceof Position.There there
                && there.operations().stream()
                        .filter(holds)
                        .findFirst()
                        .filter(operation -> isNeeded(operation, other) && isMissing(operation, other))
                        .isPresent();
    }

    private static boolean isNeeded(CommOperation operation, int other) {
        return operation.peers().isEmpty()
                || (operation.domain() > 0 && operation.peers().contains(other));
    }

    /** Whether the other rank has not reached this operation: its recorder goes back far enough and has no such number. */
    private boolean isMissing(CommOperation operation, int other) {
        List<CommOperation> theirs = operationsOf(positions.get(other));
        boolean complete =
                theirs.size() < FlightRecorder.KEPT || theirs.get(0).startedNanos() < operation.startedNanos();
        return !(positions.get(other) instanceof Position.Silent)
                && complete
                && theirs.stream().noneMatch(o -> o.isOfSameSeries(operation) && o.number() >= operation.number());
    }

    private static List<CommOperation> operationsOf(@Nullable Position position) {
        if (position instanceof Position.There there) {
            return there.operations();
        }
        return position instanceof Position.Outside outside ? outside.operations() : List.of();
    }
}
