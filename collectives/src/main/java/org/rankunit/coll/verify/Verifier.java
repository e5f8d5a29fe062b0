package org.rankunit.coll.verify;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.coll.CollectiveAlgorithm;
import org.rankunit.coll.Cost;
import org.rankunit.coll.call.CollectiveCall;
import org.rankunit.coll.schedule.Schedule;
import org.rankunit.coll.verify.finding.FindingKind;
import org.rankunit.coll.verify.finding.Findings;
import org.rankunit.coll.verify.memory.Expressions;

/**
 * Verifies schedules in one process, without a device and without data.
 *
 * <p>Every byte of every output must hold the inputs that the collective demands, each exactly once. No two tasks may access the same
 * bytes, one of them writing, unless notifies order them. No stream may wait for ever. Notifies, streams, links and memory must be
 * used as declared.
 *
 * <p>Small schedules are run twice in a row, so that what one call leaves behind for the next one is found too.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class Verifier {

    /** Larger schedules are run once. */
    private static final long TASKS_RUN_TWICE = 200_000;

    private Verifier() {}

    /** Verify the tasks of an algorithm for a call. If something is found, the tasks in the findings know their lines. */
    public static Verification verify(CollectiveAlgorithm algorithm, CollectiveCall call) {
        Verification found = verify(Schedule.of(algorithm, call), algorithm.cost(call));
        return found.isCorrect() ? found : verify(Schedule.withLines(algorithm, call), algorithm.cost(call));
    }

    /** Verify a schedule whose cost is not known. */
    public static Verification verify(Schedule schedule) {
        return verify(schedule, Optional.empty());
    }

    private static Verification verify(Schedule schedule, Optional<Cost> formula) {
        CollectiveCall call = schedule.call();
        Findings findings = new Findings();
        Expressions expressions = new Expressions(call.ranks());
        int rounds = schedule.size() <= TASKS_RUN_TWICE ? 2 : 1;
        SymbolicRun run = new SymbolicRun(schedule, rounds, expressions, findings);
        boolean ended = run.run();
        ResultCheck results = new ResultCheck(call, run.memory(), expressions, findings);
        if (ended) {
            results.run();
        }
        new ExchangeCheck(schedule, findings).run();
        ResourceCheck resources = new ResourceCheck(schedule, findings);
        resources.run();
        Cost counted = new Cost(run.steps(), resources.mostSent());
        if (ended) {
            formula.filter(expected -> !expected.equals(counted))
                    .ifPresent(expected -> findings.add(
                            FindingKind.OTHER_COST,
                            "the formula says " + text(expected) + ", and the tasks have " + text(counted)));
        }
        return new Verification(
                schedule.algorithm(),
                call,
                schedule.size(),
                counted,
                ended && run.memory().sameEveryRun(),
                ended && results.sameOnAllRanks(),
                ended && call.collective().reduces() && results.inRankOrder(),
                findings.kept(),
                findings.counts());
    }

    private static String text(Cost cost) {
        return cost.steps() + " steps and at most " + cost.bytesSent() + " bytes sent by a rank";
    }
}
