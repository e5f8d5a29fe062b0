package org.rankunit.coll.verify;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apiguardian.api.API;
import org.rankunit.DType;
import org.rankunit.coll.CollectiveAlgorithm;
import org.rankunit.coll.Symmetry;
import org.rankunit.coll.call.Collective;
import org.rankunit.coll.call.CollectiveCall;
import org.rankunit.coll.call.MemoryMode;
import org.rankunit.coll.schedule.Schedule;

/**
 * Verifies an algorithm for many calls: numbers of ranks in ascending order, and for each of them sizes at which algorithms go wrong,
 * the first and the last root, in place and out of place, with one server and several. Calls to which the algorithm does not apply are
 * left out.
 *
 * <p>Beyond {@link #ALL_UP_TO} ranks, calls are verified by the symmetry that the algorithm declares for them. Calls without one that have
 * more tasks than fit into memory are left out too, and counted.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class Sweep {

    /** Up to here, every number of ranks is verified. */
    public static final int ALL_UP_TO = 64;

    /** Schedules with more tasks need more than 2 GiB. */
    private static final long MOST_TASKS = 32_000_000;

    private static final long CCL_BYTES = 1 << 20;
    private static final int PRIME = 131;
    private static final int CHUNKS = 5;
    private static final int MANY_CHUNKS_UP_TO = 16;

    private Sweep() {}

    /**
     * The result of a sweep.
     *
     * @param verified calls
     * @param tasks of all of them
     * @param first the call with the smallest number of ranks at which something was found
     * @param failed calls at which something was found
     * @param sameEveryRun whether every result has the same bits in every run
     * @param sameOnAllRanks whether every result has the same bits on all ranks
     * @param inRankOrder whether every result is reduced in the order of the ranks
     * @param bySymmetry calls of which rank 0 was verified, and the tasks of all other ranks compared with it
     * @param sampled calls of which rank 0 was verified, and the tasks of some other ranks compared with it
     * @param tooLarge calls that were not verified since they have too many tasks and no symmetry
     * @since 0.1
     */
    @API(status = EXPERIMENTAL, since = "0.1")
    public record Result(
            int verified,
            long tasks,
            Optional<Verification> first,
            int failed,
            boolean sameEveryRun,
            boolean sameOnAllRanks,
            boolean inRankOrder,
            int bySymmetry,
            int sampled,
            int tooLarge) {}

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

    /** The calls of an algorithm for one number of ranks. */
    public static List<CollectiveCall> calls(CollectiveAlgorithm algorithm, int ranks) {
        List<CollectiveCall> calls = new ArrayList<>();
        for (long count : counts(algorithm.collective(), ranks)) {
            CollectiveCall call = CollectiveCall.of(algorithm.collective(), ranks, DType.FLOAT32, count);
            for (CollectiveCall rooted : withRoots(call)) {
                addVariants(calls, rooted);
            }
        }
        addCounts(calls, algorithm.collective(), ranks);
        calls.removeIf(call -> algorithm.whyNot(call).isPresent());
        return calls;
    }

    private static Set<Long> counts(Collective collective, int ranks) {
        if (collective == Collective.BARRIER) {
            return Set.of(0L);
        }
        Set<Long> counts = new LinkedHashSet<>(List.of(2L * ranks, 0L, 1L));
        if (ranks <= ALL_UP_TO) {
            counts.addAll(List.of(ranks - 1L, (long) ranks, ranks + 1L, (long) PRIME));
        }
        return counts;
    }

    private static List<CollectiveCall> withRoots(CollectiveCall call) {
        if (!call.collective().hasRoot() || call.ranks() == 1) {
            return List.of(call);
        }
        return List.of(call, call.withRoot(call.ranks() - 1));
    }

    private static void addVariants(List<CollectiveCall> calls, CollectiveCall call) {
        calls.add(call);
        calls.add(call.withMemory(MemoryMode.SINGLE_OPERATOR, CCL_BYTES));
        calls.add(call.withMemory(MemoryMode.SINGLE_OPERATOR, bytesOfChunks(call)));
        if (call.ranks() <= MANY_CHUNKS_UP_TO) {
            // Three elements for each rank: larger calls need many chunks.
            calls.add(call.withMemory(MemoryMode.SINGLE_OPERATOR, 3L * call.elementBytes() * call.ranks()));
        }
        if (!call.collective().hasCountsOfPairs() && call.collective() != Collective.BARRIER) {
            calls.add(call.withInPlace(true));
        }
        if (call.ranks() > 2 && call.count() == 2L * call.ranks()) {
            calls.add(call.withRanksPerServer(1));
            calls.add(call.withRanksPerServer((call.ranks() + 1) / 2));
        }
    }

    /** So many that data is done in five chunks of half of the buffers, as far as it has five elements: each half comes again. */
    private static long bytesOfChunks(CollectiveCall call) {
        long parts = call.collective().hasCounts() ? call.ranks() : 1;
        long ofChunk = (call.count() + CHUNKS - 1) / CHUNKS;
        return Math.max(3, 2 * ofChunk) * parts * call.elementBytes();
    }

    /** Every rank has another number of elements, some have none. */
    private static void addCounts(List<CollectiveCall> calls, Collective collective, int ranks) {
        if (!collective.hasCounts() || ranks > ALL_UP_TO) {
            return;
        }
        int size = collective.hasCountsOfPairs() ? ranks * ranks : ranks;
        List<Long> counts = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            counts.add(i * 7L % 5);
        }
        CollectiveCall call = CollectiveCall.of(collective, ranks, DType.FLOAT32, 0);
        calls.add(call.withCounts(counts));
        if (collective == Collective.SEND_RECV) {
            CollectiveCall alone = call.withCounts(oneMessage(ranks));
            // A slot for each rank, of two elements: longer messages need several rounds.
            long cclBytes = 2L * call.elementBytes() * ranks;
            calls.add(call.withCounts(counts).withMemory(MemoryMode.SINGLE_OPERATOR, cclBytes));
            calls.add(alone);
            calls.add(alone.withMemory(MemoryMode.SINGLE_OPERATOR, cclBytes));
        }
    }

    /** From the last rank to the first one. */
    private static List<Long> oneMessage(int ranks) {
        List<Long> counts = new ArrayList<>(Collections.nCopies(ranks * ranks, 0L));
        counts.set((ranks - 1) * ranks, 5L);
        return counts;
    }

    /**
     * Verify all calls of these numbers of ranks.
     *
     * @param ranks in ascending order, so that the first finding is one of the smallest number of ranks
     * @throws IllegalArgumentException if the algorithm applies to none of the calls
     */
    public static Result verify(CollectiveAlgorithm algorithm, List<Integer> ranks) {
        Totals totals = new Totals();
        for (int n : ranks) {
            for (CollectiveCall call : calls(algorithm, n)) {
                if (isTooLarge(algorithm, call)) {
                    totals.tooLarge++;
                } else {
                    totals.add(Verifier.verify(algorithm, call));
                }
            }
        }
        if (totals.verified == 0) {
            throw new IllegalArgumentException(algorithm.name() + " applies to no " + algorithm.collective() + " of "
                    + ranks + " ranks" + (totals.tooLarge > 0 ? " that is small enough to be verified" : ""));
        }
        return totals.result();
    }

    /** Whether there are too many tasks to run all ranks, by those of a rank in the middle, which is no root. */
    private static boolean isTooLarge(CollectiveAlgorithm algorithm, CollectiveCall call) {
        int n = call.ranks();
        return n > ALL_UP_TO
                && algorithm.symmetry(call) == Symmetry.NONE
                && (long) Schedule.ofRank(algorithm, call, n / 2).size() * n > MOST_TASKS;
    }

    /** Adds up what was found. */
    private static final class Totals {

        private int verified;
        private int failed;
        private long tasks;
        private boolean everyRun = true;
        private boolean allRanks = true;
        private boolean rankOrder = true;
        private int bySymmetry;
        private int sampled;
        private int tooLarge;
        private Optional<Verification> first = Optional.empty();

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
                first = first.isPresent() ? first : Optional.of(found);
            }
        }

        Result result() {
            return new Result(
                    verified, tasks, first, failed, everyRun, allRanks, rankOrder, bySymmetry, sampled, tooLarge);
        }
    }
}
