package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.rankunit.engine.cases.ChaosCase;
import org.rankunit.engine.cases.ChaosCase.Moment;
import org.rankunit.engine.cases.Fault;
import org.rankunit.engine.cases.Notes;
import org.rankunit.engine.launch.RunLeftovers;

/**
 * Any fault at any moment on any rank: every test has one result, the right rank is named with the right cause, and nothing
 * is left.
 *
 * <p>A number says all of a run, so that {@code -Dchaos.seed=N -Dchaos.runs=1} repeats it. Many runs, and faults that only a
 * time-out ends: {@code ./test.sh --chaos}.
 */
class ChaosTest {

    private static final int MOST_RANKS = 8;
    private static final long FIRST_SEED = Long.getLong("chaos.seed", 1);
    private static final int RUNS = Integer.getInteger("chaos.runs", 6);
    private static final boolean LONG = Boolean.getBoolean("chaos.long");

    /** What happens in one run. */
    private record Plan(long seed, Fault fault, Moment moment, int ranks, int rank) {

        static Plan of(long seed) {
            // The first numbers of neighbouring seeds are alike.
            Random random = new Random(seed * 0x9E3779B97F4A7C15L);
            List<Fault> faults = Arrays.stream(Fault.values())
                    .filter(f -> LONG || !f.isSlow())
                    .toList();
            List<Moment> moments = List.of(Moment.values());
            List<Integer> counts = LONG ? List.of(2, 3, 4, MOST_RANKS) : List.of(2, 3);
            int ranks = counts.get(random.nextInt(counts.size()));
            return new Plan(
                    seed,
                    faults.get(random.nextInt(faults.size())),
                    moments.get(random.nextInt(moments.size())),
                    ranks,
                    random.nextInt(ranks));
        }

        Stream<String> expectedResults() {
            return switch (moment) {
                case BEFORE_ALL -> Stream.of("FAILED first", "FAILED second");
                case AFTER_ALL -> Stream.of("SUCCESSFUL first", "SUCCESSFUL second");
                default -> Stream.of("FAILED first", "SUCCESSFUL second");
            };
        }
    }

    static LongStream seeds() {
        return LongStream.range(FIRST_SEED, FIRST_SEED + RUNS);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    @Timeout(120)
    void aFaultIsToldOnceAndRightAndLeavesNothing(long seed, @TempDir Path folder) throws IOException {
        Plan plan = Plan.of(seed);
        System.setProperty(ChaosCase.FAULT, plan.fault().name());
        System.setProperty(ChaosCase.MOMENT, plan.moment().name());
        System.setProperty(ChaosCase.RANK, Integer.toString(plan.rank()));
        System.setProperty(ChaosCase.ONCE, folder.resolve("struck").toString());
        try (RunLeftovers leftovers = RunLeftovers.watch(folder);
                Notes notes = Notes.in(folder)) {
            EngineRun run = EngineRun.of(folder, parameters(plan), ChaosCase.class);

            assertThat(folder.resolve("struck")).as("%s", plan).exists();
            check(plan, run);
            assertThat(leftovers.all(MOST_RANKS)).as("%s", plan).isEmpty();
            assertThat(notes.of(plan.rank(), "child "))
                    .as("%s", plan)
                    .noneMatch(pid -> RunLeftovers.isAlive(Long.parseLong(pid)));
        } finally {
            List.of(ChaosCase.FAULT, ChaosCase.MOMENT, ChaosCase.RANK, ChaosCase.ONCE)
                    .forEach(System::clearProperty);
        }
    }

    /** A process that is only coming up cannot strike itself. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seedsOfStarts")
    @Timeout(120)
    void aRankKilledWhileItComesUpIsNamedByEachTest(long seed, @TempDir Path folder) throws Exception {
        Random random = new Random(seed * 0x9E3779B97F4A7C15L);
        int ranks = random.nextBoolean() ? 2 : 3;
        int rank = random.nextInt(ranks);
        int micros = random.nextInt(400_000);
        Thread killer = new Thread(() -> killOnce(rank, micros));
        try (RunLeftovers leftovers = RunLeftovers.watch(folder)) {
            killer.start();
            EngineRun run = EngineRun.of(
                    folder,
                    Map.of("rankunit.simulator-devices", "3", "rankunit.ranks", Integer.toString(ranks)),
                    ChaosCase.class);
            killer.join();

            String plan = "rank " + rank + " of " + ranks + " killed " + micros + " µs after its start";
            assertThat(run.results(ChaosCase.class).stream().filter(line -> !line.startsWith("SKIPPED")))
                    .as(plan)
                    .hasSize(2)
                    .doesNotHaveDuplicates();
            assertThat(run.imbalance()).as(plan).isEmpty();
            assertThat(run.messages())
                    .as(plan)
                    .allSatisfy(message -> assertThat(message).contains("rank " + rank, "was killed by SIGKILL"));
            assertThat(leftovers.all(3)).as(plan).isEmpty();
        }
    }

    static LongStream seedsOfStarts() {
        return LongStream.range(FIRST_SEED, FIRST_SEED + Math.max(1, RUNS / 4));
    }

    /** Kill the first process that is this rank, a while after it was started. */
    private static void killOnce(int rank, int micros) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (System.nanoTime() < deadline) {
            Optional<ProcessHandle> process = ProcessHandle.current()
                    .children()
                    .filter(child -> isRank(child, rank))
                    .findFirst();
            if (process.isPresent()) {
                LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(micros));
                process.get().destroyForcibly();
                return;
            }
        }
    }

    private static boolean isRank(ProcessHandle process, int rank) {
        String[] arguments = process.info().arguments().orElse(new String[0]);
        return arguments.length > 2
                && arguments[arguments.length - 3].endsWith("RankMain")
                && arguments[arguments.length - 2].equals(Integer.toString(rank));
    }

    private static Map<String, String> parameters(Plan plan) {
        return Map.of(
                "rankunit.simulator-devices",
                Integer.toString(MOST_RANKS),
                "rankunit.ranks",
                Integer.toString(plan.ranks()),
                "rankunit.jvm-args",
                "-Xmx64m",
                "rankunit.test-timeout",
                plan.fault().isSlow() ? "5s" : "60s");
    }

    private static void check(Plan plan, EngineRun run) {
        List<String> suffixed = plan.expectedResults()
                .map(result -> result + "(RankContext) [" + plan.ranks() + " ranks]")
                .toList();
        assertThat(run.results(ChaosCase.class).stream().filter(line -> !line.startsWith("SKIPPED")))
                .as("%s\n%s", plan, run.messages())
                .containsExactlyElementsOf(suffixed);
        assertThat(run.imbalance()).as("%s", plan).isEmpty();
        String who = plan.fault().isSlow() ? "rank " + plan.rank() : "failed on rank " + plan.rank() + "\n";
        assertThat(run.messages())
                .as("%s", plan)
                .isNotEmpty()
                .allSatisfy(message ->
                        assertThat(message).contains(who, plan.fault().told()));
    }
}
