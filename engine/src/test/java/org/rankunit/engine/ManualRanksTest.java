package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.DeviceCount;
import org.rankunit.Platforms;
import org.rankunit.RankContext;
import org.rankunit.engine.launch.command.JavaOfTests;
import org.rankunit.engine.launch.local.RunLeftovers;

/** A rank is started by hand, and this test is the person who copies the command into a terminal. */
@Tag("ranks")
@Timeout(120)
class ManualRanksTest {

    private static final Pattern COMMAND = Pattern.compile("rankunit: start rank 1 \\(device 1\\) by hand within"
            + " 600000 ms \\(rankunit\\.manual-ranks-timeout\\)\\. Time-outs are off in this run\\. The command, for"
            + " another terminal:\n(cd .* org\\.rankunit\\.engine\\.rank\\.RankMain 1 \\S+ \\S+)\n");

    @TempDir
    Path folder;

    private final PrintStream usual = System.out;
    private final Printed printed = new Printed();
    private RunLeftovers leftovers;

    @DeviceCount(2)
    @Platforms("a2a3sim")
    static class Started {

        @Test
        @Timeout(value = 1, unit = TimeUnit.NANOSECONDS)
        void first(RankContext rank) {
            say(rank);
        }

        @Test
        void second(RankContext rank) {
            say(rank);
        }

        private static void say(RankContext rank) {
            rank.barrier();
            System.out.println("rank " + rank.rank() + " of " + rank.worldSize());
        }
    }

    @DeviceCount(2)
    @Platforms("a2a3sim")
    static class Dying {

        @Test
        void dies(RankContext rank) {
            if (rank.rank() == 1) {
                Runtime.getRuntime().halt(7);
            }
            rank.barrier();
        }
    }

    @DeviceCount(2)
    @Platforms("a2a3sim")
    static class Endless {

        @Test
        void waits(RankContext rank) throws Exception {
            if (rank.rank() == 1) {
                Process child = new ProcessBuilder("sleep", "1000").start();
                System.out.println("child " + child.pid());
            }
            new CountDownLatch(1).await();
        }
    }

    /** A run in a process of its own. */
    static final class Parent {

        public static void main(String[] args) {
            EngineRun.printing(
                    Path.of(args[0]),
                    Map.of("rankunit.manual-ranks", "1", "rankunit.manual-ranks-timeout", "10m"),
                    Endless.class);
        }
    }

    @BeforeEach
    void capture() throws Exception {
        leftovers = RunLeftovers.watch(folder);
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void forget() {
        System.setOut(usual);
        leftovers.close();
    }

    @Test
    void aRankThatIsStartedByHandJoinsTheOthersAndNoTimeOutHolds() throws Exception {
        CompletableFuture<EngineRun> run = run(
                Started.class,
                Map.of(
                        "rankunit.manual-ranks-timeout", "10m",
                        "rankunit.bootstrap-timeout", "1ms",
                        "rankunit.test-timeout", "1ms"));
        Process manualRanks = started(command());
        String terminal = outputOf(manualRanks);

        assertThat(run.get(60, TimeUnit.SECONDS).results(Started.class))
                .containsExactlyInAnyOrder("SUCCESSFUL first(RankContext)", "SUCCESSFUL second(RankContext)");
        assertThat(manualRanks.waitFor()).as("%s", terminal).isZero();
        assertThat(terminal.lines().filter("rank 1 of 2"::equals)).hasSize(2);
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("[rank 0] rank 0 of 2")
                .doesNotContain("[rank 1]");
        assertThat(leftovers.all(2)).isEmpty();
    }

    /** It leads a session, as in a terminal that was opened for the command. */
    @Test
    void aRankThatWasStartedByHandAndDiesFailsItsTest() throws Exception {
        CompletableFuture<EngineRun> run = run(Dying.class, Map.of("rankunit.manual-ranks-timeout", "10m"));
        Process manualRanks = started(command().replaceFirst(" && ", " && exec setsid --wait "));
        String terminal = outputOf(manualRanks);

        assertThat(manualRanks.waitFor()).as("%s", terminal).isEqualTo(7);
        assertThat(run.get(60, TimeUnit.SECONDS).message(Dying.class, "dies(RankContext)"))
                .startsWith("""
                        ManualRanksTest.Dying.dies [2 ranks, a2a3sim] failed on rank 1

                          its process on device 1 ended; its last lines:
                            rankunit: this rank was started by hand; what it prints is in its terminal
                          rank 0 was released from barrier""");
        assertThat(leftovers.processes()).isEmpty();
        assertThat(leftovers.sessions()).isEmpty();
    }

    @Test
    void aRankThatWasStartedByHandEndsWithItsRun() throws Exception {
        Process parent = new ProcessBuilder(JavaOfTests.command(
                        "-Djava.io.tmpdir=" + folder,
                        "-cp",
                        System.getProperty("java.class.path"),
                        Parent.class.getName(),
                        folder.toString()))
                .redirectErrorStream(true)
                .start();
        Process manualRanks = started(lineOf(parent, "cd "));
        long child = Long.parseLong(lineOf(manualRanks, "child ").substring("child ".length()));

        parent.destroyForcibly();

        assertThat(outputOf(manualRanks)).contains("the control channel has ended, and with it this rank");
        assertThat(manualRanks.waitFor()).isEqualTo(113);
        while (RunLeftovers.isAlive(child)) {
            Thread.onSpinWait();
        }
        assertThat(parent.waitFor()).isEqualTo(128 + 9);
    }

    /** The simulator's fault comes by a variable of the environment. */
    @Test
    void theCommandHasTheEnvironmentOfARank() throws Exception {
        CompletableFuture<EngineRun> run = run(
                Dying.class,
                Map.of(
                        "rankunit.manual-ranks-timeout", "10m",
                        "rankunit.sim.devices", "2",
                        "rankunit.sim.faults", "1:507033"));
        Process manualRanks = started(command());
        String terminal = outputOf(manualRanks);

        assertThat(manualRanks.waitFor()).as("%s", terminal).isEqualTo(1);
        assertThat(run.get(60, TimeUnit.SECONDS).message(Dying.class, "dies(RankContext)"))
                .contains("rank 1 (device 1) bootstrap failed while opening its device", "507033");
    }

    @Test
    void aRankThatNobodyStartsFailsItsTestAndNotItsDevice() throws Exception {
        EngineRun run =
                run(Dying.class, Map.of("rankunit.manual-ranks-timeout", "1ms")).get(60, TimeUnit.SECONDS);

        assertThat(run.message(Dying.class, "dies(RankContext)"))
                .isEqualTo("ManualRanksTest.Dying.dies [2 ranks, a2a3sim]: rank 1 (device 1) did not join within 1 ms"
                        + " (rankunit.manual-ranks-timeout), to be started by hand (rankunit.manual-ranks)");
        assertThat(leftovers.all(2)).isEmpty();
        assertThat(leftovers.suspicions(2)).isEmpty();
    }

    @Test
    void aRankThatNoTestHasIsRefused() throws Exception {
        EngineRun run = run(Dying.class, Map.of("rankunit.manual-ranks", "5,9")).get(60, TimeUnit.SECONDS);

        assertThat(run.message(Dying.class, "dies(RankContext)"))
                .isEqualTo("rankunit.manual-ranks names rank 5, but no test of this run has such a rank: the largest"
                        + " has 2 ranks, counted from 0.");
    }

    private CompletableFuture<EngineRun> run(Class<?> type, Map<String, String> parameters) {
        Map<String, String> all = new HashMap<>(Map.of("rankunit.manual-ranks", "1"));
        all.putAll(parameters);
        return CompletableFuture.supplyAsync(() -> EngineRun.printing(folder, all, type));
    }

    private String command() throws Exception {
        return printed.command.get(60, TimeUnit.SECONDS);
    }

    private static Process started(String command) throws IOException {
        return new ProcessBuilder("sh", "-c", command).redirectErrorStream(true).start();
    }

    /** The next line of its output that begins so. */
    private static String lineOf(Process process, String prefix) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = process.getInputStream().read();
                c >= 0;
                c = process.getInputStream().read()) {
            if (c != '\n') {
                line.append((char) c);
            } else if (line.toString().startsWith(prefix)) {
                return line.toString();
            } else {
                line.setLength(0);
            }
        }
        throw new AssertionError("no line begins with " + prefix);
    }

    /** Everything that it prints until its end. */
    private static String outputOf(Process process) throws IOException {
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    /** What is printed, with the command as soon as it is there. */
    private static final class Printed extends ByteArrayOutputStream {

        private final CompletableFuture<String> command = new CompletableFuture<>();

        @Override
        public synchronized void flush() {
            Matcher found = COMMAND.matcher(toString(StandardCharsets.UTF_8));
            if (found.find()) {
                command.complete(found.group(1));
            }
        }
    }
}
