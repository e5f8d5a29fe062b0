package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertAll;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.rankunit.engine.cases.Fault;
import org.rankunit.engine.launch.OwnTraces;
import org.rankunit.engine.launch.RunLeftovers;

/**
 * Any fault at any moment on any rank: every test has one result, the right rank is named with the right cause, and nothing
 * is left.
 *
 * <p>A number says all of a run, so that {@code -Dchaos.seed=N -Dchaos.runs=1} repeats it. Many runs, and faults that only a
 * time-out ends: {@code ./test.sh --chaos}.
 */
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
            TALLY.ran(plan);
            run.knownAfterNanos().ifPresent(nanos -> TALLY.known(plan, nanos));

            List<String> left = leftovers.all(DEVICES);
            left.addAll(run.leftovers());
            left.addAll(own.added());
            left.addAll(names(Path.of("")));
            left.removeAll(workingFolder);
            assertAll(
                    () -> TALLY.count("verdict", plan, run::check),
                    () -> TALLY.count(
                            "leftovers",
                            plan,
                            () -> assertThat(left).as("%s", plan).isEmpty()));
        }
    }

    static LongStream seedsOfPairs() {
        return seeds().limit(Math.max(1, RUNS / 25)).map(seed -> 10 * seed);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seedsOfPairs")
    void twoRunsAtOnceThatShareDevicesAreEachToldRightAndLeaveNothing(long seed, @TempDir Path folder)
            throws Exception {
        List<ChaosPlan> plans = fitting(seed).limit(2).toList();
        try (RunLeftovers leftovers = RunLeftovers.watch(folder)) {
            List<ChaosParent> parents = new ArrayList<>();
            for (ChaosPlan plan : plans) {
                parents.add(ChaosParent.start(plan, folder, SCARCE_DEVICES));
                TALLY.ran(plan);
            }
            List<String> complaints = new ArrayList<>();
            for (ChaosParent parent : parents) {
                complaints.add(parent.complaint());
            }
            List<String> left = leftovers.all(SCARCE_DEVICES);
            assertAll(
                    () -> TALLY.count(
                            "verdict", plans, () -> assertThat(complaints).containsOnly("")),
                    () -> TALLY.count(
                            "leftovers",
                            plans,
                            () -> assertThat(left).as("%s", plans).isEmpty()));
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seedsOfPairs")
    void aRunIsUnharmedByAnotherThatIsKilledAndTheNextOneCleansUp(long seed, @TempDir Path folder) throws Exception {
        // Who would end what a rank has started, if it and its parent are killed, or what it is before it has begun?
        ChaosPlan killed = fitting(seed)
                .filter(plan -> plan.fault() != Fault.KILLED_WITH_CHILDREN
                        && !(plan.isEndless() && plan.moment().isOfAgent()))
                .findFirst()
                .orElseThrow();
        ChaosPlan unharmed = fitting(killed.seed() + 1).findFirst().orElseThrow();
        ChaosPlan next = fitting(unharmed.seed() + 1).findFirst().orElseThrow();
        List<ChaosPlan> plans = List.of(killed, unharmed, next);
        plans.forEach(TALLY::ran);
        try (RunLeftovers leftovers = RunLeftovers.watch(folder)) {
            ChaosParent victim = ChaosParent.start(killed, folder, SCARCE_DEVICES);
            ChaosParent other = ChaosParent.start(unharmed, folder, SCARCE_DEVICES);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(new Random(seed).nextInt(4000)));
            victim.process().destroyForcibly().waitFor();
            String complaint = other.complaint();
            ChaosRun after = ChaosRun.of(
                    next, Files.createDirectory(folder.resolve("next")), SCARCE_DEVICES, folder.resolve("pool"));
            List<String> left = leftovers.all(SCARCE_DEVICES);
            left.addAll(after.leftovers());
            assertAll(
                    () -> TALLY.count(
                            "verdict", plans, () -> assertThat(complaint).isEmpty()),
                    () -> TALLY.count("verdict", next, after::check),
                    () -> TALLY.count(
                            "leftovers",
                            plans,
                            () -> assertThat(left).as("%s", plans).isEmpty()));
        }
    }

    /** Plans from a number on that need no more devices than there are. */
    private static Stream<ChaosPlan> fitting(long seed) {
        return LongStream.iterate(seed, next -> next + 1)
                .mapToObj(ChaosPlan::of)
                .filter(plan -> plan.ranks() <= SCARCE_DEVICES);
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder.toAbsolutePath())) {
            return files.map(Path::toString).toList();
        }
    }
}
