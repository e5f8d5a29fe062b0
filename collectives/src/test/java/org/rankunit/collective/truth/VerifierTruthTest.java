package org.rankunit.collective.truth;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.rankunit.DType;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.algorithms.BuiltinAlgorithms;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.MemoryMode;
import org.rankunit.collective.schedule.Schedule;
import org.rankunit.collective.verify.Verification;
import org.rankunit.collective.verify.Verifier;
import org.rankunit.collective.verify.finding.Promise;

/**
 * Holds the verifier against {@link Interleavings}: what it calls right must be so in all orders, and what it calls wrong must go wrong
 * in one.
 */
@Tag("ranks")
class VerifierTruthTest {

    /** {@code -Dcollectives.schedules=100000} in the long form. */
    private static final int SCHEDULES = Integer.getInteger("collectives.schedules", 2000);

    private static final int PARTS = 20;
    private static final int MUTANTS = Integer.getInteger("collectives.mutants", 6);
    private static final int MAX_STATES = 20_000;
    private static final long CCL_BYTES = 128;
    private static final Counts COUNTS = new Counts();

    /** What was judged. */
    private static final class Counts {

        private int right;
        private int wrong;
        private int unknown;

        synchronized void add(Interleavings.Truth truth) {
            unknown += truth.isKnown() ? 0 : 1;
            wrong += truth.wrong() != null ? 1 : 0;
            right += truth.isKnown() && truth.wrong() == null ? 1 : 0;
        }

        int judged() {
            return right + wrong;
        }
    }

    static IntStream parts() {
        return IntStream.range(0, PARTS);
    }

    static List<CollectiveAlgorithm> algorithms() {
        return BuiltinAlgorithms.all();
    }

    @AfterAll
    static void mostAreJudged() {
        System.out.printf(
                "%d schedules: %d right and %d wrong ones were judged as they are, %d have too many orders%n",
                COUNTS.judged() + COUNTS.unknown, COUNTS.right, COUNTS.wrong, COUNTS.unknown);
        assertThat(COUNTS.unknown).as("schedules that were not judged").isLessThan(COUNTS.judged() / 5);
    }

    @ParameterizedTest
    @Execution(ExecutionMode.CONCURRENT)
    @MethodSource("parts")
    void randomSchedulesAreJudgedAsTheyAre(int part) {
        for (int seed = part; seed < SCHEDULES; seed += PARTS) {
            Random random = new Random(seed);
            Schedule schedule = new RandomSchedule(random).schedule();
            int mutations = random.nextInt(3);
            for (int i = 0; i < mutations; i++) {
                schedule = Mutant.of(schedule, random);
            }
            Interleavings.Truth truth = assertIsJudgedAsItIs(schedule, "seed " + seed);
            if (mutations == 0) {
                assertThat(truth.wrong()).as("seed " + seed).isNull();
            }
        }
    }

    @ParameterizedTest
    @Execution(ExecutionMode.CONCURRENT)
    @MethodSource("algorithms")
    void mutantsOfAlgorithmsAreJudgedAsTheyAre(CollectiveAlgorithm algorithm) {
        List<CollectiveCall> calls = calls(algorithm);
        for (int seed = 0; seed < MUTANTS; seed++) {
            Random random = new Random(seed);
            CollectiveCall call = calls.get(random.nextInt(calls.size()));
            Schedule mutant = Mutant.of(Schedule.of(algorithm, call), random);
            assertIsJudgedAsItIs(mutant, algorithm.name() + " of " + call + ", seed " + seed);
        }
    }

    private static List<CollectiveCall> calls(CollectiveAlgorithm algorithm) {
        List<CollectiveCall> calls = new ArrayList<>();
        for (int ranks = 2; ranks <= 4; ranks++) {
            long count = algorithm.collective() == Collective.BARRIER ? 0 : ranks;
            CollectiveCall call = CollectiveCall.of(algorithm.collective(), ranks, DType.INT32, count);
            for (MemoryMode mode : MemoryMode.values()) {
                for (int ofServer = 1; ofServer <= ranks; ofServer++) {
                    calls.add(call.withMemory(mode, CCL_BYTES).withRanksPerServer(ofServer));
                }
            }
        }
        calls.removeIf(call -> algorithm.unsupportedReason(call).isPresent());
        return calls;
    }

    private static Interleavings.Truth assertIsJudgedAsItIs(Schedule schedule, String what) {
        Interleavings.Truth truth = Interleavings.of(schedule, MAX_STATES);
        COUNTS.add(truth);
        if (truth.isKnown()) {
            Verification verification = Verifier.verify(schedule);
            assertThat(verification.keeps(Promise.SAFETY))
                    .as(what + " goes wrong: " + truth.wrong() + "; found: " + verification.findings())
                    .isEqualTo(truth.wrong() == null);
            if (truth.wrong() == null) {
                assertThat(verification.sameEveryRun()).as(what).isEqualTo(truth.sameBits());
            }
        }
        return truth;
    }
}
