package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.DeviceCount;
import org.rankunit.Platforms;
import org.rankunit.RankContext;

/** Several groups of real ranks at the same time. */
@Tag("ranks")
@Timeout(120)
class ParallelRunTest {

    private static final String FOLDER = "fixture.folder";

    @TempDir
    Path folder;

    @AfterEach
    void forget() {
        System.clearProperty(FOLDER);
    }

    @DeviceCount(1)
    @Platforms("a2a3sim")
    static class One {

        @Test
        void meets() {
            System.out.println("one says hello");
            leave("one");
            awaitSome("two");
        }
    }

    @DeviceCount(1)
    @Platforms("a2a3sim")
    @TestMethodOrder(MethodOrderer.MethodName.class)
    static class Two {

        @Test
        void meets() {
            System.out.println("two says hello");
            leave("two");
            awaitSome("one");
        }

        @Test
        void says() {
            System.out.println("two says more");
        }
    }

    @DeviceCount(1)
    @Platforms("a2a3sim")
    static class Failing {

        @Test
        void fails() {
            fail("on purpose");
        }
    }

    /** Its smaller variant waits for signs of life of the larger one. */
    @DeviceCount({1, 2})
    @Platforms("a2a3sim")
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    static class Growing {

        @Test
        @Order(1)
        void sees(RankContext rank) {
            if (rank.worldSize() == 1) {
                awaitSome("group-2-rank-1.log");
            }
        }
    }

    @Test
    void classesRunAtTheSameTimeAndAreToldOneAfterTheOther() {
        EngineRun run = run(Map.of("rankunit.max-parallel", "2"), One.class, Two.class, Failing.class);

        assertThat(run.order()).containsExactly("One.meets()", "Two.meets()", "Two.says()", "Failing.fails()");
        assertThat(run.results(One.class)).containsExactly("SUCCESSFUL meets()");
        assertThat(run.results(Two.class)).containsExactly("SUCCESSFUL meets()", "SUCCESSFUL says()");
        assertThat(run.results(Failing.class)).containsExactly("FAILED fails()");
        assertThat(run.message(Failing.class, "fails()")).contains("on purpose");
        assertThat(run.imbalance()).isEmpty();
    }

    @Test
    void outputGoesToTheTestThatPrintedIt() {
        EngineRun run = run(Map.of("rankunit.max-parallel", "2"), One.class, Two.class);

        assertThat(run.output(One.class, "meets()")).isEqualTo("[rank 0] one says hello\n");
        assertThat(run.output(Two.class, "meets()")).isEqualTo("[rank 0] two says hello\n");
        assertThat(run.output(Two.class, "says()")).isEqualTo("[rank 0] two says more\n");
    }

    @Test
    void whereDevicesAreFewClassesTakeTurns() {
        EngineRun run = run(
                Map.of("rankunit.max-parallel", "4", "rankunit.sim.devices", "1", "rankunit.test-timeout", "2s"),
                One.class,
                Failing.class);

        assertThat(run.message(One.class, "meets()")).contains("2000 ms");
        assertThat(run.results(Failing.class)).containsExactly("FAILED fails()");
        assertThat(run.imbalance()).isEmpty();
    }

    @Test
    void theNextGroupStartsWhileThePresentOneRuns() {
        EngineRun run = run(Map.of("rankunit.max-parallel", "1"), Growing.class);

        assertThat(run.results(Growing.class))
                .containsExactly("SUCCESSFUL sees(RankContext) [1 rank]", "SUCCESSFUL sees(RankContext) [2 ranks]");
    }

    @Test
    void aGroupThatHasNoRoomBesideThePresentOneComesAfterIt() {
        // So the smaller variant waits in vain for signs of life of the larger.
        EngineRun run =
                run(Map.of("rankunit.sim.devices", "2", "rankunit.test-timeout", "2s"), Growing.class, Failing.class);

        assertThat(run.results(Growing.class))
                .containsExactly("FAILED sees(RankContext) [1 rank]", "SUCCESSFUL sees(RankContext) [2 ranks]");
        assertThat(run.results(Failing.class)).containsExactly("FAILED fails()");
    }

    private EngineRun run(Map<String, String> parameters, Class<?>... types) {
        System.setProperty(FOLDER, folder.toString());
        return EngineRun.of(folder, parameters, types);
    }

    private static void leave(String name) {
        try {
            Files.createFile(Path.of(System.getProperty(FOLDER), name));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** Wait for a file of this name, wherever in the folder. */
    private static void awaitSome(String name) {
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!isThere(name)) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("no " + name);
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static boolean isThere(String name) {
        try (Stream<Path> files = Files.walk(Path.of(System.getProperty(FOLDER)))) {
            List<String> names =
                    files.map(file -> String.valueOf(file.getFileName())).toList();
            return names.contains(name);
        } catch (IOException | java.io.UncheckedIOException e) {
            // Something was removed while we looked.
            return false;
        }
    }
}
