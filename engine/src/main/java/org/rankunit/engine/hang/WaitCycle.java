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
import org.rankunit.comm.FlightRecorder;
import org.rankunit.engine.control.CommOperation;
import org.rankunit.engine.hang.HangSummary.Position;

/**
 * Finds ranks that wait for each other in a circle, which none of them can leave.
 *
 * <p>A rank is in one operation of its communicator at a time, and that ends when all its ranks have come; a rank outside of the
 * test waits until the others are. Both wait for all the others, so one circle is enough for a deadlock. The positions need not
 * be of the same moment: the first rank of a circle to leave its operation would need the next one to have left its own before.
 */
final class WaitCycle {

    private final SortedMap<Integer, Position> positions;
    private final Predicate<CommOperation> holds;

    private WaitCycle(SortedMap<Integer, Position> positions, Predicate<CommOperation> holds) {
        this.positions = positions;
        this.holds = holds;
    }

    /**
     * Find a circle that will not end before something outside of it happens. Each rank of the list waits for the next one, and the
     * last for the first; the list is empty if there is no circle for certain.
     *
     * <p>Outside is only a rank that was so before any of the positions was told, and is still.
     */
    static List<Integer> proven(SortedMap<Integer, Position> positions) {
        return new WaitCycle(positions, operation -> operation.isEntered() && !operation.limited()).shortest();
    }

    /** Find a circle among operations that ranks are in, or came out of without success. */
    static List<Integer> seen(SortedMap<Integer, Position> positions) {
        return new WaitCycle(positions, CommOperation::isOpen).shortest();
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

    /** The shortest circle through one rank, by a search in breadth; empty if there is none. */
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

    /** Whether the other rank has not come to this operation: its recorder goes back far enough, and has no such number. */
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
