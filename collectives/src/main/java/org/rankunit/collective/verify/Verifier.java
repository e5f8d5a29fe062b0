package org.rankunit.collective.verify;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Cost;
import org.rankunit.collective.Symmetry;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.schedule.Schedule;
import org.rankunit.collective.verify.finding.Finding;
import org.rankunit.collective.verify.finding.FindingKind;
import org.rankunit.collective.verify.finding.Findings;
import org.rankunit.collective.verify.memory.Expressions;
import org.rankunit.collective.verify.symmetry.Orbit;

/**
 * Verifies schedules in one process, without a device and without data.
 *
 * <p>Every byte of every output must hold the inputs that the collective demands, each exactly once. No two tasks may access the same
 * bytes, one of them writing, unless notifies order them. No stream may wait forever. Notifies, streams, links and memory must be
 * used as declared.
 *
 * <p>Small schedules are run twice in a row, so that what one call leaves behind for the next one is found too.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class Verifier {

    /** Up to here, all ranks are run. */
    public static final int ALL_RANKS_UP_TO = 64;

    /** Larger schedules are run once. */
    private static final long TASKS_RUN_TWICE = 200_000;

    private Verifier() {}

    /**
     * Verify the tasks of an algorithm for a call. If something is found, the tasks in the findings know their lines.
     *
     * <p>Beyond {@link #ALL_RANKS_UP_TO} ranks, a {@linkplain CollectiveAlgorithm#symmetry declared symmetry} is used: then
     * {@link Verification#bySymmetry()} says which ranks were compared. Findings are always those of a run of all ranks.
     *
     * @throws org.rankunit.collective.OrchestrationException if the algorithm does not apply to the call, queues a task that cannot be, or does not
     *     always queue the same tasks
     * @throws org.rankunit.collective.schedule.TooManyTasksException if there are more tasks than memory can hold
     */
    public static Verification verify(CollectiveAlgorithm algorithm, CollectiveCall call) {
        Optional<Verification> proved =
                call.ranks() > ALL_RANKS_UP_TO ? SymmetricVerifier.verify(algorithm, call) : Optional.empty();
        return proved.orElseGet(() -> inFull(algorithm, call));
    }

    /** Run all ranks. */
    static Verification inFull(CollectiveAlgorithm algorithm, CollectiveCall call) {
        Schedule schedule = Schedule.of(algorithm, call);
        Schedule.requireSame(algorithm, call, schedule.rank(0));
        Schedule.requireSame(algorithm, call, schedule.rank(call.ranks() / 2));
        Verification found = verify(schedule, algorithm.cost(call), algorithm.symmetry(call));
        return found.isCorrect()
                ? found
                : verify(Schedule.withLines(algorithm, call), algorithm.cost(call), algorithm.symmetry(call));
    }

    /** Verify a schedule whose cost and symmetry are not known, by a run of all ranks. */
    public static Verification verify(Schedule schedule) {
        return verify(schedule, Optional.empty(), Symmetry.NONE);
    }

    /** How often a call with so many tasks is made in a row. */
    static int rounds(long tasks) {
        return tasks <= TASKS_RUN_TWICE ? 2 : 1;
    }

    private static Verification verify(Schedule schedule, Optional<Cost> formula, Symmetry symmetry) {
        CollectiveCall call = schedule.call();
        Findings findings = new Findings();
        falseSymmetry(schedule, symmetry).ifPresent(findings::add);
        Expressions expressions = new Expressions(call.ranks());
        SymbolicRun run = new SymbolicRun(schedule, rounds(schedule.size()), expressions, findings);
        boolean ended = run.run();
        ResultCheck results = new ResultCheck(call, run.memory(), expressions, findings);
        if (ended) {
            results.run();
        }
        ExchangeCheck exchanges = new ExchangeCheck(call, findings);
        schedule.ranks().forEach(exchanges::run);
        ResourceCheck resources = new ResourceCheck(call, findings);
        schedule.ranks().forEach(resources::run);
        Cost counted = new Cost(run.steps(), resources.mostSent());
        if (ended) {
            formula.filter(expected -> !expected.equals(counted))
                    .ifPresent(expected -> findings.add(
                            FindingKind.OTHER_COST,
                            "the formula says " + text(expected) + ", but the tasks have " + text(counted)));
        }
        return new Verification(
                schedule.algorithm(),
                call,
                schedule.size(),
                counted,
                ended && run.memory().sameEveryRun(),
                ended && results.sameOnAllRanks(),
                ended && call.collective().reduces() && results.inRankOrder(),
                findings.causes(),
                findings.counts(),
                Optional.empty());
    }

    /** Compare all ranks with rank 0; empty if they are as symmetric as declared. */
    private static Optional<Finding> falseSymmetry(Schedule schedule, Symmetry symmetry) {
        CollectiveCall call = schedule.call();
        if (symmetry == Symmetry.NONE || call.ranks() == 1) {
            return Optional.empty();
        }
        Optional<String> why = Orbit.unsupportedReason(symmetry, call);
        if (why.isPresent()) {
            String text = symmetry + " symmetry is declared, but " + why.get();
            return Optional.of(new Finding(FindingKind.FALSE_SYMMETRY, text, List.of()));
        }
        Orbit orbit = Orbit.of(symmetry, call, schedule.rank(0), schedule.rank(1));
        return schedule.ranks().stream()
                .skip(1)
                .map(orbit::difference)
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static String text(Cost cost) {
        return cost.steps() + " steps and at most " + cost.bytesSent() + " bytes sent by a rank";
    }
}
