package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertAll;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.rankunit.engine.launch.local.OwnTraces;
import org.rankunit.engine.launch.local.RunLeftovers;

/**
 * Any fault at any moment on any rank: every test has one result, the right rank is named with the right cause, and nothing
 * is left.
 *
 * <p>A number says all of a run, so that {@code -Dchaos.seed=N -Dchaos.runs=1} repeats it. Many runs, and faults that only a
 * time-out ends: {@code ./test.sh --chaos}.
 */
@Tag("ranks")
@Timeout(240)
class ChaosTest {

    private static final int DEVICES = 8;

    /** So few that two runs are in each other's way. */
    private static final int SCARCE_DEVICES = 4;

    private static final long FIRST_SEED = Long.getLong("chaos.seed", 1);
    private static final int RUNS = Integer.getInteger("chaos.runs", 6);

    private static final ChaosTally TALLY = new ChaosTally();

    @AfterAll
    static void say() {
        System.out.print(TALLY);
    }

    /** Four of five runs are alone; of the others two or three belong together. */
    static LongStream seeds() {
        return LongStream.range(FIRST_SEED, FIRST_SEED + Math.max(1, RUNS * 4 / 5));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void aFaultIsToldOnceAndRightAndLeavesNothing(long seed, @TempDir Path folder) throws IOException {
        ChaosPlan plan = ChaosPlan.of(seed);
        OwnTraces own = OwnTraces.now();
        List<String> workingFolder = names(Path.of(""));
        try (RunLeftovers leftovers = RunLeftovers.watch(folder)) {
            ChaosRun run = ChaosRun.of(plan, folder, DEVICES, folder.resolve("pool"));
            TALLY.ran(plan, folder);
            run.knownAfterNanos().ifPresent(nanos -> TALLY.known(plan, nanos));

            List<String> left = leftovers.all(DEVICES);
            left.addAll(ChaosRun.leftovers(plan, folder));
            left.addAll(own.added(Duration.ofSeconds(5)));
            left.addAll(names(Path.of("")));
            left.removeAll(workingFolder);
            check(List.of(plan), run::check, left);
        }
    }

    static LongStream seedsOfPairs() {
        return seeds().limit(Math.max(1, RUNS / 25)).map(seed -> 10 * seed);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seedsOfPairs")
    void twoRunsAtOnceThatShareDevicesAreEachToldRightAndLeaveNothing(long seed, @TempDir Path folder)
            throws Exception {
        List<ChaosPlan> plans = fitting(seed, 2);
        try (RunLeftovers leftovers = RunLeftovers.watch(folder)) {
            ChaosParent one = ChaosParent.start(plans.get(0), folder, SCARCE_DEVICES);
            ChaosParent other = ChaosParent.start(plans.get(1), folder, SCARCE_DEVICES);
            String complaints = one.complaint() + other.complaint();
            TALLY.ran(one.plan(), one.folder());
            TALLY.ran(other.plan(), other.folder());

            List<String> left = leftovers.all(SCARCE_DEVICES);
            left.addAll(one.leftovers());
            left.addAll(other.leftovers());
            check(plans, () -> assertThat(complaints).isEmpty(), left);
        }
    }

    /** Some of what the killed run leaves only the next one can end. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seedsOfPairs")
    void aRunIsUnharmedByAnotherThatIsKilledAndTheNextOneCleansUp(long seed, @TempDir Path folder) throws Exception {
        List<ChaosPlan> plans = fitting(seed, 3);
        int millis = new Random(seed).nextInt(4000);
        try (RunLeftovers leftovers = RunLeftovers.watch(folder)) {
            ChaosParent victim = ChaosParent.start(plans.get(0), folder, SCARCE_DEVICES);
            ChaosParent other = ChaosParent.start(plans.get(1), folder, SCARCE_DEVICES);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
            victim.process().destroyForcibly().waitFor();
            String complaint = other.complaint();
            Path last = Files.createDirectory(folder.resolve("next"));
            ChaosRun next = ChaosRun.of(plans.get(2), last, SCARCE_DEVICES, folder.resolve("pool"));
            TALLY.ran(victim.plan(), victim.folder());
            TALLY.ran(other.plan(), other.folder());
            TALLY.ran(plans.get(2), last);

            List<String> left = leftovers.all(SCARCE_DEVICES);
            left.addAll(victim.leftovers());
            left.addAll(other.leftovers());
            left.addAll(ChaosRun.leftovers(plans.get(2), last));
            check(
                    plans,
                    () -> {
                        assertThat(complaint).isEmpty();
                        next.check();
                    },
                    left);
        }
    }

    private static void check(List<ChaosPlan> plans, Runnable verdict, List<String> left) {
        assertAll(
                () -> TALLY.count("verdict", plans, verdict),
                () -> TALLY.count(
                        "leftovers",
                        plans,
                        () -> assertThat(left).as("%s", plans).isEmpty()));
    }

    /** Plans from a number on that need no more devices than there are. */
    private static List<ChaosPlan> fitting(long seed, int count) {
        return LongStream.iterate(seed, next -> next + 1)
                .mapToObj(ChaosPlan::of)
                .filter(plan -> plan.ranks() <= SCARCE_DEVICES)
                .limit(count)
                .toList();
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder.toAbsolutePath())) {
            return files.map(Path::toString).toList();
        }
    }
}
