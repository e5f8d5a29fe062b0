package org.rankunit.collective.verify.symmetry;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.collective.Symmetry;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.schedule.RankSchedule;
import org.rankunit.collective.schedule.Task;
import org.rankunit.collective.verify.finding.Finding;
import org.rankunit.collective.verify.finding.FindingKind;

/**
 * The tasks of rank 0, which those of all other ranks are when they are shifted. Whether this is so is said by {@link #difference}.
 */
@API(status = INTERNAL, since = "0.1")
public final class Orbit {

    private final Layout layout;
    private final RankSchedule first;

    private Orbit(Layout layout, RankSchedule first) {
        this.layout = layout;
        this.first = first;
    }

    /**
     * Make it of the tasks of rank 0 and of one other rank.
     *
     * @param second tells whether scratch memory has a part for each rank
     */
    public static Orbit of(Symmetry symmetry, CollectiveCall call, RankSchedule first, RankSchedule second) {
        Shifts shifts = new Shifts(symmetry, call.ranks());
        long scratch = first.resources().scratchBytes();
        boolean inParts = scratch % call.ranks() == 0 && usesOtherScratch(first, second);
        return new Orbit(new Layout(shifts, call, scratch, inParts), first);
    }

    private static boolean usesOtherScratch(RankSchedule first, RankSchedule second) {
        for (int task = 0; task < Math.min(first.size(), second.size()); task++) {
            boolean moves = first.kind(task).movesData() && second.kind(task).movesData();
            boolean from = first.fromBuffer(task) == BufferKind.SCRATCH && first.from(task) != second.from(task);
            boolean to = first.toBuffer(task) == BufferKind.SCRATCH && first.to(task) != second.to(task);
            if (moves && (from || to)) {
                return true;
            }
        }
        return false;
    }

    /** Say why calls like this have no such symmetry, whatever the algorithm; empty if they may have. */
    public static Optional<String> unsupportedReason(Symmetry symmetry, CollectiveCall call) {
        int n = call.ranks();
        if (call.collective().hasRoot() || call.collective() == Collective.SEND_RECV) {
            return Optional.of("not all ranks of a " + call.collective() + " have the same part in it");
        }
        if (!call.counts().isEmpty()) {
            return Optional.of("ranks have different numbers of elements");
        }
        if (call.collective() == Collective.ALL_REDUCE && call.count() % n != 0) {
            return Optional.of(call.count() + " elements cannot be divided into " + n + " equal parts");
        }
        if (symmetry == Symmetry.XOR && Integer.bitCount(n) != 1) {
            return Optional.of(n + " ranks are not a power of two");
        }
        if (call.servers().count() != 1 && call.servers().count() < n) {
            return Optional.of("there are " + call.servers() + ", so not all ranks have the same links");
        }
        return Optional.empty();
    }

    Layout layout() {
        return layout;
    }

    RankSchedule first() {
        return first;
    }

    /** Find the first task of a rank that is not the shifted one of rank 0; empty if there is none. */
    public Optional<Finding> difference(RankSchedule other) {
        int by = other.rank();
        String declared = layout.shifts().symmetry() + " symmetry is declared, but rank " + by;
        if (!sameResources(other)) {
            return Optional.of(new Finding(
                    FindingKind.FALSE_SYMMETRY, declared + " asks for other resources than rank 0", List.of()));
        }
        int common = Math.min(first.size(), other.size());
        for (int task = 0; task < common; task++) {
            if (!isSame(other, task)) {
                String text = declared + "'s task " + task + " is not that of rank 0, shifted by " + by;
                return Optional.of(differing(text, first.task(task), other.task(task)));
            }
        }
        if (first.size() == other.size()) {
            return Optional.empty();
        }
        RankSchedule longer = first.size() > common ? first : other;
        String text = declared + " has " + other.size() + " tasks and rank 0 has " + first.size();
        return Optional.of(differing(text, longer.task(common)));
    }

    private static Finding differing(String text, Task... tasks) {
        return new Finding(FindingKind.FALSE_SYMMETRY, text, List.of(tasks));
    }

    private boolean sameResources(RankSchedule other) {
        List<Integer> links = new ArrayList<>();
        first.resources().links().forEach(peer -> links.add(layout.shifts().on(peer, other.rank())));
        List<Integer> theirs = new ArrayList<>(other.resources().links());
        Collections.sort(links);
        Collections.sort(theirs);
        return links.equals(theirs)
                && first.resources().scratchBytes() == other.resources().scratchBytes()
                && first.resources().subStreams() == other.resources().subStreams()
                && first.resources().notifies() == other.resources().notifies();
    }

    private boolean isSame(RankSchedule other, int task) {
        int peer = first.peer(task);
        int shifted = peer < 0 ? peer : layout.shifts().on(peer, other.rank());
        return first.kind(task) == other.kind(task)
                && first.stream(task) == other.stream(task)
                && other.peer(task) == shifted
                && first.code(task) == other.code(task)
                && (!first.kind(task).movesData() || isSameData(other, task));
    }

    private boolean isSameData(RankSchedule other, int task) {
        BufferKind from = first.fromBuffer(task);
        BufferKind to = first.toBuffer(task);
        long bytes = first.bytes(task);
        if (other.fromBuffer(task) != from || other.toBuffer(task) != to || other.bytes(task) != bytes) {
            return false;
        }
        int by = other.rank();
        boolean inOrder = layout.movedInOrder(from, first.from(task), bytes, by) == other.from(task)
                && layout.movedInOrder(to, first.to(task), bytes, by) == other.to(task);
        return inOrder
                || (layout.partBytes(from) == layout.partBytes(to)
                        && layout.movedAsBlock(from, first.from(task), bytes, by) == other.from(task)
                        && layout.movedAsBlock(to, first.to(task), bytes, by) == other.to(task));
    }
}
