package org.rankunit.engine.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("ranks")
@Timeout(60)
class ProcessMarkTest {

    private final Path group = Path.of("session-" + UUID.randomUUID(), "g1");
    private final ProcessMark mark = ProcessMark.ofRank(group, 3);

    /** As an agent may start it, which runs before anything of ours does. */
    @Test
    void aDaemonOfTheFirstStepIsFound() throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                "/bin/sh", "-c", "env -i PATH=\"$PATH\" setsid sleep 1000 >/dev/null 2>&1 & echo $!");
        mark.putInto(builder);
        ProcessHandle daemon = ProcessHandle.of(Long.parseLong(lineOf(builder.start())))
                .orElseThrow(() -> new AssertionError("the daemon has ended"));
        try {
            assertThat(mark.bearers()).contains(daemon);
            assertThat(ProcessMark.ofGroup(group).bearers()).contains(daemon);
            assertThat(ProcessMark.ofRank(group, 4).bearers()).doesNotContain(daemon);

            mark.endBearers(command -> {});

            assertThat(daemon.onExit().get(30, TimeUnit.SECONDS)).isEqualTo(daemon);
        } finally {
            daemon.destroyForcibly();
        }
    }

    @Test
    void aMarkedProcessIsTheProgramItself() throws Exception {
        ProcessBuilder builder =
                new ProcessBuilder("/bin/sh", "-c", "echo $$ \"$1\" $odd; exec sleep 1000", "sh", "--locks=1:");
        builder.environment().put("odd", "variable");
        mark.putInto(builder);
        Process process = builder.start();
        try {
            assertThat(lineOf(process)).isEqualTo(process.pid() + " --locks=1: variable");
        } finally {
            process.destroyForcibly();
        }
    }

    /** The shell becomes a program that collects no exit status. Its child ends after that, and stays as it ended. */
    @Test
    void aProcessThatHasEndedIsNotFound() throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                "/bin/sh",
                "-c",
                "exec 3<&0; read line <&3 & echo $!; exec env -i sleep 1000 3<&- </dev/null >/dev/null");
        mark.putInto(builder);
        Process process = builder.start();
        try {
            Path child = Path.of("/proc", lineOf(process), "status");
            awaitThat(Path.of("/proc", Long.toString(process.pid()), "status"), "Name:\tsleep");
            process.getOutputStream().close();
            awaitThat(child, "State:\tZ");

            assertThat(mark.bearers()).extracting(ProcessHandle::pid).containsExactly(process.pid());
        } finally {
            process.destroyForcibly();
        }
    }

    private static void awaitThat(Path status, String line) throws IOException {
        while (!Files.readString(status).contains(line)) {
            Thread.onSpinWait();
        }
    }

    @Test
    void aProgramThatIsMissingIsNamedByTheStart() {
        ProcessBuilder builder = new ProcessBuilder("/no/such/program");
        mark.putInto(builder);

        assertThatThrownBy(builder::start)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("Cannot run program \"/no/such/program\"");
    }

    private static String lineOf(Process process) throws IOException {
        return new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)).readLine();
    }
}
