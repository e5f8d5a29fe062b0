package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.DeviceCount;
import org.rankunit.Platforms;
import org.rankunit.RankContext;
import org.rankunit.RankTimeout;
import org.rankunit.engine.collect.DurationsFile;
import org.rankunit.engine.plan.Durations;
import org.rankunit.engine.plan.Recorded;

/** What runs of real ranks make of how long tests took before, and leave for the next. */
@Tag("ranks")
@Timeout(120)
class DurationsRunTest {

    private static final String FOLDER = "fixture.folder";

    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void keepDurations() {
        System.setProperty(FOLDER, folder.toString());
        file = folder.resolve("durations.json");
    }

    @AfterEach
    void forget() {
        System.clearProperty(FOLDER);
    }

    @DeviceCount({1, 2})
    @Platforms("a2a3sim")
    static class Measured {

        @Test
        void passes(RankContext rank) {
            rank.barrier();
        }

        @Test
        @Disabled("always")
        void skipped() {}
    }

    @DeviceCount(1)
    @Platforms("a2a3sim")
    static class Hanging {

        @Test
        @RankTimeout(value = 1)
        void hangs() {
            while (true) {
                LockSupport.park();
            }
        }
    }

    @DeviceCount(1)
    @Platforms("a2a3sim")
    static class WaitsA {

        @Test
        void waits() {
            awaitTheLast();
        }
    }

    @DeviceCount(1)
    @Platforms("a2a3sim")
    static class WaitsB {

        @Test
        void waits() {
            awaitTheLast();
        }
    }

    /** Has to begin before one of the others has ended, although it is the last. */
    @DeviceCount(1)
    @Platforms("a2a3sim")
    static class Last {

        @Test
        void begins() throws IOException {
            Files.createFile(Path.of(System.getProperty(FOLDER), "last"));
        }
    }

    @Test
    void aRunLeavesHowLongItsTestsTook() {
        run(Map.of(), Measured.class, Hanging.class);
        run(Map.of(), Measured.class);

        Durations known = known(file);
        assertThat(known.classes()).containsOnlyKeys(Measured.class.getName());
        assertThat(known.classes().get(Measured.class.getName()))
                .containsOnlyKeys(
                        "beside its tests [1 rank, a2a3sim]",
                        "beside its tests [2 ranks, a2a3sim]",
                        "method:passes(org.rankunit.RankContext) [1 rank, a2a3sim]",
                        "method:passes(org.rankunit.RankContext) [2 ranks, a2a3sim]")
                .allSatisfy((key, recorded) -> assertThat(recorded.micros()).hasSize(2));
        assertThat(known.starts()).containsOnlyKeys("[1 rank, a2a3sim]", "[2 ranks, a2a3sim]");
    }

    @Test
    void theLongestClassBeginsFirstAndIsToldInItsTurn() {
        Map<String, Map<String, Recorded>> classes = new TreeMap<>();
        classes.put(Last.class.getName(), Map.of("method:begins() [1 rank, a2a3sim]", recorded(5_000_000)));
        for (Class<?> type : List.of(WaitsA.class, WaitsB.class)) {
            classes.put(type.getName(), Map.of("method:waits() [1 rank, a2a3sim]", recorded(1_000)));
        }
        file().add(Durations.of(classes, Map.of()), Durations.NONE);

        EngineRun run = run(Map.of("rankunit.max-parallel", "2"), WaitsA.class, WaitsB.class, Last.class);

        assertThat(run.messages()).isEmpty();
        assertThat(run.order()).containsExactly("WaitsA.waits()", "WaitsB.waits()", "Last.begins()");
    }

    @Test
    void everyTestRunsInOneShardWhichLeavesTheFileAsItIs() throws IOException {
        run(Map.of(), Measured.class, Last.class);
        String before = Files.readString(file);
        Files.delete(folder.resolve("last"));
        List<String> ran = new ArrayList<>();
        List<String> measured = new ArrayList<>();
        for (String shard : List.of("1/2", "2/2")) {
            Path out = folder.resolve("out-" + shard.charAt(0));
            EngineRun run = run(
                    Map.of("rankunit.shard", shard, "rankunit.output-dir", out.toString()), Measured.class, Last.class);

            Stream.of(Measured.class, Last.class)
                    .flatMap(type -> run.results(type).stream())
                    .filter(result -> !result.startsWith("SKIPPED (in shard"))
                    .forEach(ran::add);
            assertThat(run.output()).contains("classes are split by " + file + ", checksum ");
            measured.addAll(known(out.resolve("durations.json")).classes().keySet());
        }

        assertThat(ran)
                .containsExactlyInAnyOrder(
                        "SUCCESSFUL passes(RankContext) [1 rank]",
                        "SUCCESSFUL passes(RankContext) [2 ranks]",
                        "SKIPPED (always) skipped() [1 rank]",
                        "SKIPPED (always) skipped() [2 ranks]",
                        "SUCCESSFUL begins()");
        assertThat(measured).containsExactlyInAnyOrder(Measured.class.getName(), Last.class.getName());
        assertThat(file).hasContent(before);
    }

    @Test
    void aBrokenFileFailsNoRun() throws IOException {
        Files.writeString(file, "{");

        EngineRun run = run(Map.of(), Last.class);

        assertThat(run.results(Last.class)).containsExactly("SUCCESSFUL begins()");
        assertThat(run.output()).containsOnlyOnce("rankunit: " + file + " contains no durations of tests");
    }

    @Test
    void aRunWithoutDevicesIsRedWhereTheyAreRequired() {
        EngineRun run = run(Map.of("rankunit.require-devices", "true", "rankunit.sim.devices", "1"), Measured.class);

        assertThat(run.results(Measured.class))
                .contains("SUCCESSFUL passes(RankContext) [1 rank]", "FAILED passes(RankContext) [2 ranks]");
        assertThat(run.message(Measured.class, "passes(RankContext) [2 ranks]"))
                .contains("needs 2 devices, a2a3sim has 1 (rankunit.sim.devices), and rankunit.require-devices");
        assertThat(run.imbalance()).isEmpty();
    }

    private EngineRun run(Map<String, String> parameters, Class<?>... types) {
        Map<String, String> all = new HashMap<>(parameters);
        all.put("rankunit.durations", file.toString());
        return EngineRun.of(folder, all, types);
    }

    private DurationsFile file() {
        return new DurationsFile(file, true, text -> {});
    }

    private static Durations known(Path file) {
        return new DurationsFile(file, true, text -> {}).read();
    }

    private static Recorded recorded(long micros) {
        return new Recorded("a2a3sim", 1, "2026-03-01", List.of(micros));
    }

    private static void awaitTheLast() {
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!Files.exists(Path.of(System.getProperty(FOLDER), "last"))) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("the last class has not begun");
            }
            LockSupport.parkNanos(1_000_000);
        }
    }
}
