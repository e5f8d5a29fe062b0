package org.rankunit.collective.verify;

import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Cost;
import org.rankunit.collective.Symmetry;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.schedule.RankSchedule;
import org.rankunit.collective.schedule.Schedule;
import org.rankunit.collective.verify.finding.Findings;
import org.rankunit.collective.verify.symmetry.Orbit;
import org.rankunit.collective.verify.symmetry.OrbitRun;

/** Verifies schedules that are symmetric by one rank. */
final class SymmetricVerifier {

    /** Up to here, the tasks of all ranks are compared. */
    private static final long TASKS_COMPARED = 4_000_000;

    private SymmetricVerifier() {}

    /** Verify a call by the symmetry that the algorithm declares; empty unless this proves that all ranks are correct. */
    static Optional<Verification> verify(CollectiveAlgorithm algorithm, CollectiveCall call) {
        Symmetry symmetry = algorithm.symmetry(call);
        if (symmetry == Symmetry.NONE
                || call.ranks() == 1
                || Orbit.unsupportedReason(symmetry, call).isPresent()) {
            return Optional.empty();
        }
        RankSchedule first = Schedule.ofRank(algorithm, call, 0);
        RankSchedule second = Schedule.ofRank(algorithm, call, 1);
        Orbit orbit = Orbit.of(symmetry, call, first, second);
        List<Integer> compared = compared(call.ranks(), first.size());
        for (int rank : compared) {
            RankSchedule other = rank == 1 ? second : Schedule.ofRank(algorithm, call, rank);
            if (orbit.difference(other).isPresent()) {
                return Optional.empty();
            }
        }
        SymmetryProof proof = new SymmetryProof(symmetry, call.ranks(), compared);
        return verify(algorithm.name(), call, orbit, first, algorithm.cost(call), proof);
    }

    /**
     * Choose ranks: all if they have few tasks; else neighbours of rank 0 on both sides, and others at all powers of two, where algorithms
     * of many ranks make a difference.
     */
    private static List<Integer> compared(int ranks, int tasks) {
        if ((long) ranks * tasks <= TASKS_COMPARED) {
            return IntStream.range(1, ranks).boxed().toList();
        }
        TreeSet<Integer> chosen = new TreeSet<>(List.of(ranks - 1));
        for (int rank = 1; rank < ranks; rank *= 2) {
            chosen.add(rank);
        }
        return List.copyOf(chosen);
    }

    private static Optional<Verification> verify(
            String name,
            CollectiveCall call,
            Orbit orbit,
            RankSchedule first,
            Optional<Cost> formula,
            SymmetryProof proof) {
        long tasks = (long) first.size() * call.ranks();
        OrbitRun run = new OrbitRun(orbit, Verifier.rounds(tasks));
        Findings findings = new Findings();
        new ExchangeCheck(call, findings).run(first);
        ResourceCheck resources = new ResourceCheck(call, findings);
        resources.run(first);
        if (!run.run().isEmpty() || !findings.isEmpty()) {
            return Optional.empty();
        }
        // What rank 0 reads from others, some other rank reads from it.
        Cost counted = new Cost(run.steps(), resources.allSent());
        if (formula.isPresent() && !formula.get().equals(counted)) {
            return Optional.empty();
        }
        return Optional.of(new Verification(
                name,
                call,
                tasks,
                counted,
                true,
                run.sameOnAllRanks(),
                isInRankOrder(call),
                findings.causes(),
                findings.counts(),
                Optional.of(proof)));
    }

    /** A shift changes the order of operands, so not all ranks or parts can have that of the ranks, unless there are none. */
    private static boolean isInRankOrder(CollectiveCall call) {
        return call.collective().reduces() && call.demands(0).isEmpty();
    }
}
