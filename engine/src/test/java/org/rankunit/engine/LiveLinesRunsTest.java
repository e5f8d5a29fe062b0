package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherFactory;
import org.rankunit.engine.cases.FaultCases;
import org.rankunit.engine.cases.Notes;
import org.rankunit.engine.launch.command.JavaOfTests;

/** What a person sees in a real terminal of 24 rows and 100 columns, which {@code script} makes. */
@Tag("ranks")
@Timeout(120)
class LiveLinesRunsTest {

    private static final String ESC = "\u001b";
    private static final String CTRL_C = "\u0003";

    @TempDir
    Path folder;

    /** A process of its own that runs a test which never ends. */
    static final class Run {

        public static void main(String[] args) {
            LauncherFactory.create()
                    .execute(EngineRun.within(
                                    Path.of(args[0]),
                                    Map.of(),
                                    List.of(DiscoverySelectors.selectClass(FaultCases.ForEver.class)))
                            .build());
        }
    }

    /** @param redirection where the shell sends the output of the run */
    private Process start(Path screen, String redirection) throws IOException {
        String command = "stty rows 24 cols 100; exec "
                + String.join(" ", JavaOfTests.command()) + " -Djava.io.tmpdir=" + folder + " -Dcases.notes=" + folder
                + " -cp '" + System.getProperty("java.class.path") + "' "
                + Run.class.getName().replace("$", "\\$") + " " + folder + redirection;
        ProcessBuilder builder = new ProcessBuilder("script", "-q", "-e", "-f", "-c", command, "/dev/null")
                .redirectErrorStream(true)
                .redirectOutput(screen.toFile());
        builder.environment().put("TERM", "xterm");
        builder.environment().put("SHELL", "/bin/sh");
        builder.environment().remove("CI");
        return builder.start();
    }

    private static void await(Path screen, String text) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!Files.readString(screen).contains(text)) {
            assertThat(System.nanoTime())
                    .as("waited 60 s for " + text + " in " + Files.readString(screen))
                    .isLessThan(deadline);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    private static void press(Process terminal, String key) throws IOException {
        OutputStream keys = terminal.getOutputStream();
        keys.write(key.getBytes(StandardCharsets.US_ASCII));
        keys.flush();
    }

    @Test
    void theRunningTestIsShownAndCtrlCGivesTheRowsBack() throws Exception {
        assumeFalse(ignoresInterrupts(), "SIGINT is ignored by whatever started this JVM");
        Path screen = folder.resolve("screen");
        Process terminal = start(screen, "");
        try {
            await(screen, "ForEver");
            await(screen, " on devices ");
            press(terminal, CTRL_C);

            assertThat(terminal.waitFor(30, TimeUnit.SECONDS)).isTrue();
            String shown = Files.readString(screen);
            assertThat(shown)
                    .as("the last row is taken out of the scrolling region")
                    .contains(ESC + "[1;23r")
                    .containsPattern("\\[24;1H\u001b\\[2K\\S*ForEver \\[4 ranks, a2a3sim\\]");
            assertThat(shown.substring(shown.lastIndexOf(ESC + "[1;23r")))
                    .as("the whole screen scrolls again")
                    .contains(ESC + "[r");
        } finally {
            terminal.descendants().forEach(ProcessHandle::destroyForcibly);
            terminal.destroyForcibly();
        }
    }

    @Test
    void nothingIsDrawnIntoALog() throws Exception {
        Path screen = folder.resolve("screen");
        Path log = folder.resolve("log");
        Process terminal = start(screen, " > " + log + " 2>&1");
        try {
            awaitProcesses();
            terminal.descendants().forEach(ProcessHandle::destroy);

            assertThat(terminal.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(Files.readString(screen)).doesNotContain(ESC);
            assertThat(Files.readString(log)).doesNotContain(ESC);
        } finally {
            terminal.descendants().forEach(ProcessHandle::destroyForcibly);
            terminal.destroyForcibly();
        }
    }

    /** Until a rank has told of itself, from within the test. */
    private void awaitProcesses() throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        try (Notes notes = Notes.in(folder)) {
            while (notes.of(0, "process ").isEmpty()) {
                assertThat(System.nanoTime()).as("waited 60 s for rank 0").isLessThan(deadline);
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            }
        }
    }

    private static boolean ignoresInterrupts() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .anyMatch(line -> (Long.parseUnsignedLong(line.substring(7).strip(), 16) & (1L << 1)) != 0);
    }
}
