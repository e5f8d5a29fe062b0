package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.platform.launcher.core.LauncherFactory;
import org.rankunit.engine.cases.FaultCases;
import org.rankunit.engine.cases.Notes;
import org.rankunit.engine.launch.command.JavaOfTests;
import org.rankunit.engine.launch.local.RunLeftovers;

/** Ranks and what they started end with the process that started them, whatever they are doing. */
@Tag("ranks")
class ParentDeathTest {

    private static final int RANKS = 4;

    /** The rank that stops itself. */
    private static final int STOPPED = 2;

    /** A process of its own that runs a test which never ends. */
    static final class Parent {

        public static void main(String[] args) {
            LauncherFactory.create()
                    .execute(EngineRun.within(
                                    Path.of(args[0]),
                                    java.util.Map.of(),
                                    List.of(org.junit.platform.engine.discovery.DiscoverySelectors.selectClass(
                                            FaultCases.ForEver.class)))
                            .build());
        }
    }

    /** By whoever does so: a build tool, a terminal (all its processes hear Ctrl-C, and that it is closed), an IDE's stop button. */
    @ParameterizedTest
    @CsvSource({
        "kill -KILL $P, 1",
        "kill -TERM $P, 0",
        "kill -INT $P, 0",
        "kill -INT -$P, 0",
        "kill -HUP -$P, 0",
        "kill -TERM $P; kill -KILL $P, 1"
    })
    void nothingOutlivesAParentThatIsEndedBy(String how, int sessions, @TempDir Path folder) throws Exception {
        assumeFalse(how.contains("INT") && ignores(2), "SIGINT is ignored by whatever started this JVM");
        assumeFalse(how.contains("HUP") && ignores(1), "SIGHUP is ignored by whatever started this JVM, as by nohup");
        try (RunLeftovers leftovers = RunLeftovers.watch(folder);
                Notes notes = Notes.in(folder)) {
            Process parent = start(folder);
            try {
                List<Long> processes = processesOf(notes);

                new ProcessBuilder("sh", "-c", how.replace("$P", Long.toString(parent.pid())))
                        .start()
                        .waitFor();

                assertThat(parent.waitFor(10, TimeUnit.SECONDS)).isTrue();
                await("the end of " + processes, () -> processes.stream().noneMatch(RunLeftovers::isAlive));
                assertThat(leftovers.all(RANKS))
                        .hasSizeLessThanOrEqualTo(sessions)
                        .allMatch(left -> left.startsWith("session folder"));
            } finally {
                parent.destroyForcibly();
            }
        }
    }

    /** Leads a process group, as what a terminal or an IDE starts does. */
    private static Process start(Path folder) throws IOException {
        List<String> command = JavaOfTests.command(
                "-Djava.io.tmpdir=" + folder,
                "-Dcases.notes=" + folder,
                "-cp",
                System.getProperty("java.class.path"),
                Parent.class.getName(),
                folder.toString());
        command.add(0, "setsid");
        return new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** The ranks and their children, once each of them has told of itself and of four. */
    private static List<Long> processesOf(Notes notes) throws IOException {
        List<Long> processes = new ArrayList<>();
        for (int rank = 0; rank < RANKS; rank++) {
            int each = rank;
            await("rank " + rank, () -> toldBy(each, notes).size() == 5);
            toldBy(rank, notes).forEach(pid -> processes.add(Long.valueOf(pid)));
        }
        long stopped = Long.parseLong(notes.of(STOPPED, "process ").get(0));
        // If it stopped after the end of its parent, nothing would wake it.
        await("rank " + STOPPED + " to stop", () -> isStopped(stopped));
        assertThat(processes).allMatch(RunLeftovers::isAlive);
        return processes;
    }

    private static boolean isStopped(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            return stat.substring(stat.lastIndexOf(')')).startsWith(") T ");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> toldBy(int rank, Notes notes) {
        try {
            List<String> told = new ArrayList<>(notes.of(rank, "child "));
            told.addAll(notes.of(rank, "process "));
            return told;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waited 30 s for " + what).isLessThan(deadline);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }

    private static boolean ignores(int signal) throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .anyMatch(line -> (Long.parseUnsignedLong(line.substring(7).strip(), 16) & (1L << (signal - 1))) != 0);
    }
}
