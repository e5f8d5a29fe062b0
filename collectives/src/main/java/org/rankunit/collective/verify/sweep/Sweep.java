package org.rankunit.collective.verify.sweep;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apiguardian.api.API;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Symmetry;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.schedule.Schedule;
import org.rankunit.collective.schedule.TooManyTasksException;
import org.rankunit.collective.verify.Verification;
import org.rankunit.collective.verify.Verifier;
import org.rankunit.collective.verify.finding.Promise;

/**
 * Verifies an algorithm for many calls: numbers of ranks in ascending order, and for each of them {@linkplain Choices values} of all
 * parameters at which algorithms go wrong. Every two values that the algorithm allows together are in one call; the combinations differ
 * from one number of ranks to the next. {@link Result#coverage()} says what was covered.
 *
 * <p>Beyond {@link #ALL_UP_TO} ranks, calls are verified by the symmetry that the algorithm declares for them. Calls without one that have
 * more tasks than fit into memory are left out, and counted; so are calls of fewer ranks with more than a million tasks.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class Sweep {

    /** Up to here, every number of ranks is verified. */
    public static final int ALL_UP_TO = Verifier.ALL_RANKS_UP_TO;

    /** Schedules with more tasks need more than 2 GiB. */
    private static final long MAX_TASKS = 32_000_000;

    /** There are many calls. */
    private static final long MAX_TASKS_OF_FEW_RANKS = 1_000_000;

    private Sweep() {}

    /**
     * The result of a sweep.
     *
     * @param verified calls
     * @param tasks of all of them
     * @param first for each promise that a call breaks, the first such call, with the smallest number of ranks
     * @param failed calls at which something was found
     * @param sameEveryRun whether every result has the same bits in every run
     * @param sameOnAllRanks whether every result has the same bits on all ranks
     * @param inRankOrder whether every result is reduced in the order of the ranks
     * @param bySymmetry calls of which rank 0 was verified, and the tasks of all other ranks compared with it
     * @param sampled calls of which rank 0 was verified, and the tasks of some other ranks compared with it
     * @param tooLarge calls that were not verified since they have too many tasks
     * @param coverage of the verified calls
     * @since 0.1
     */
    @API(status = EXPERIMENTAL, since = "0.1")
    public record Result(
            int verified,
            long tasks,
            Map<Promise, Verification> first,
            int failed,
            boolean sameEveryRun,
            boolean sameOnAllRanks,
            boolean inRankOrder,
            int bySymmetry,
            int sampled,
            int tooLarge,
            Coverage coverage) {

        public Result {
            first = Collections.unmodifiableMap(new EnumMap<>(first));
        }

        /** The first call that breaks one of these promises; empty if all calls keep them. */
        public Optional<Verification> first(Set<Promise> promises) {
            return first.entrySet().stream()
                    .filter(each -> promises.contains(each.getKey()))
                    .map(Map.Entry::getValue)
                    .min(Comparator.comparing(each -> each.call().ranks()));
        }
    }

    /**
     * Choose numbers of ranks: all up to {@link #ALL_UP_TO}, and beyond it powers of two with their neighbours.
     *
     * @param largest is one of them
     */
    public static List<Integer> ranks(int smallest, int largest) {
        if (smallest < 1 || largest < smallest) {
            throw new IllegalArgumentException("no ranks from " + smallest + " to " + largest);
        }
        Set<Integer> chosen = new TreeSet<>();
        for (int n = smallest; n <= Math.min(largest, ALL_UP_TO); n++) {
            chosen.add(n);
        }
        for (int power = 2 * ALL_UP_TO; power <= largest; power *= 2) {
            for (int n = power - 1; n <= power + 1; n++) {
                if (n >= smallest && n <= largest) {
                    chosen.add(n);
                }
            }
        }
        chosen.add(largest);
        return List.copyOf(chosen);
    }

    /** Choose the calls of an algorithm for one number of ranks. */
    public static List<CollectiveCall> calls(CollectiveAlgorithm algorithm, int ranks) {
        return new SweptCalls(algorithm, ranks, Selection.ALL)
                .chosen().stream().map(SweptCall::call).toList();
    }

    /** Verify all calls of these numbers of ranks, with values that the sweep chooses. */
    public static Result verify(CollectiveAlgorithm algorithm, List<Integer> ranks) {
        return verify(algorithm, ranks, Selection.ALL);
    }

    /**
     * Verify all calls of these numbers of ranks.
     *
     * @param ranks in ascending order, so that the first finding is one of the smallest number of ranks
     * @throws IllegalArgumentException if the algorithm applies to none of the calls
     */
    public static Result verify(CollectiveAlgorithm algorithm, List<Integer> ranks, Selection selection) {
        Totals totals = new Totals();
        for (int n : ranks) {
            SweptCalls calls = new SweptCalls(algorithm, n, selection);
            calls.offerTo(totals.coverage);
            for (SweptCall swept : calls.chosen()) {
                Optional<Verification> found = verify(algorithm, swept.call());
                if (found.isPresent()) {
                    totals.add(found.get());
                    totals.coverage.cover(swept);
                } else {
                    totals.tooLarge++;
                    totals.coverage.leaveOut(swept, "too many tasks");
                }
            }
        }
        if (totals.verified == 0) {
            throw new IllegalArgumentException(algorithm.name() + " applies to no " + algorithm.collective() + " of "
                    + ranks + " ranks" + selection.inWords()
                    + (totals.tooLarge > 0 ? " that is small enough to be verified" : ""));
        }
        return totals.result();
    }

    /** Empty if there are too many tasks. */
    private static Optional<Verification> verify(CollectiveAlgorithm algorithm, CollectiveCall call) {
        if (isTooLarge(algorithm, call)) {
            return Optional.empty();
        }
        try {
            return Optional.of(Verifier.verify(algorithm, call));
        } catch (TooManyTasksException e) {
            return Optional.empty();
        }
    }

    /** Whether there are too many tasks to run all ranks, by those of a rank that is not the root. */
    private static boolean isTooLarge(CollectiveAlgorithm algorithm, CollectiveCall call) {
        int n = call.ranks();
        if (n > ALL_UP_TO && algorithm.symmetry(call) != Symmetry.NONE) {
            return false;
        }
        long most = Math.min(Schedule.mostTasks(), n > ALL_UP_TO ? MAX_TASKS : MAX_TASKS_OF_FEW_RANKS);
        try {
            Schedule.ofRank(algorithm, call, (call.root() + 1) % n, most / n);
            return false;
        } catch (TooManyTasksException e) {
            return true;
        }
    }

    /** Adds up what was found. */
    private static final class Totals {

        private final Coverage.Collector coverage = new Coverage.Collector();
        private int verified;
        private int failed;
        private long tasks;
        private boolean everyRun = true;
        private boolean allRanks = true;
        private boolean rankOrder = true;
        private int bySymmetry;
        private int sampled;
        private int tooLarge;
        private final Map<Promise, Verification> first = new EnumMap<>(Promise.class);

        void add(Verification found) {
            verified++;
            tasks += found.tasks();
            everyRun &= found.sameEveryRun();
            allRanks &= found.sameOnAllRanks();
            rankOrder &= found.inRankOrder();
            found.bySymmetry().ifPresent(proof -> {
                bySymmetry += proof.comparedAll() ? 1 : 0;
                sampled += proof.comparedAll() ? 0 : 1;
            });
            if (!found.isCorrect()) {
                failed++;
                for (Promise promise : Promise.values()) {
                    if (!found.keeps(promise)) {
                        first.putIfAbsent(promise, found);
                    }
                }
            }
        }

        Result result() {
            return new Result(
                    verified,
                    tasks,
                    first,
                    failed,
                    everyRun,
                    allRanks,
                    rankOrder,
                    bySymmetry,
                    sampled,
                    tooLarge,
                    coverage.coverage());
        }
    }
}
