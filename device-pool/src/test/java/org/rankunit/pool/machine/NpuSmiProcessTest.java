package org.rankunit.pool.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("ranks")
@Timeout(60)
class NpuSmiProcessTest {

    private static final Duration LONG = Duration.ofSeconds(50);

    @TempDir
    Path folder;

    @Test
    void whatTheProgramWritesIsTheAnswer() throws Exception {
        NpuSmi npuSmi = script("echo \"asked: $*\"; echo 'and a warning' >&2", LONG);

        assertThat(npuSmi.ask(List.of("info", "-t", "topo")))
                .isEqualTo(NpuSmi.Answer.of("asked: info -t topo\nand a warning\n"));
    }

    @Test
    void aMachineIsToldByARealProgram() throws Exception {
        for (String what : List.of("info", "mapping", "topo")) {
            Files.writeString(folder.resolve(what), Sample.text("a3-" + what + ".txt"));
        }
        NpuSmi npuSmi = script("""
                cd "${0%/*}"
                case "$*" in
                    info) cat info ;;
                    'info -m') cat mapping ;;
                    'info -t topo') cat topo ;;
                    *) exit 1 ;;
                esac""", LONG);
        Sample.in(folder).withDevices(0, 15);

        Machine machine = Machine.detect(folder, npuSmi);

        assertThat(machine.ids()).hasSize(16);
        assertThat(machine.notes()).isEmpty();
    }

    @Test
    void aProgramThatFailsIsQuoted() throws Exception {
        NpuSmi npuSmi = script("echo 'dcmi model initialized failed'; exit 3", LONG);

        assertThat(npuSmi.ask(List.of("info")).problem())
                .isEqualTo("\"npu-smi info\" ended with exit code 3: dcmi model initialized failed");
    }

    @Test
    void aProgramThatHangsIsEndedAtItsDeadlineWithItsChildren() throws Exception {
        Path pids = folder.resolve("pids");
        NpuSmi npuSmi = script(
                "sleep 600 & printf '%s\\n' $$ $! > '" + pids + ".new'; mv '" + pids + ".new' '" + pids + "'; wait",
                Duration.ofSeconds(2));

        assertThat(npuSmi.ask(List.of("info")).problem()).isEqualTo("\"npu-smi info\" did not end within 2 s");
        for (String pid : Files.readAllLines(pids)) {
            awaitEnd(Long.parseLong(pid));
        }
    }

    @Test
    void aProgramThatClosesItsOutputAndHangsIsEndedToo() throws Exception {
        NpuSmi npuSmi = script("exec >&- 2>&-; exec sleep 600", Duration.ofMillis(300));

        assertThat(npuSmi.ask(List.of("info")).problem()).isEqualTo("\"npu-smi info\" did not end within 300 ms");
    }

    @Test
    void aProgramThatFloodsUsIsEndedBeforeItsDeadline() throws Exception {
        NpuSmi npuSmi = script("while :; do echo '| 0 910B3 | OK | 100 |'; done", LONG);

        assertThat(npuSmi.ask(List.of("info")).problem()).isEqualTo("\"npu-smi info\" wrote more than 1024 KiB");
    }

    @Test
    void aProgramThatReadsItsInputGetsItsEnd() throws Exception {
        assertThat(script("cat; echo done", LONG).ask(List.of("info")).text()).isEqualTo("done\n");
    }

    @Test
    void aProgramThatCannotBeStartedIsNoException() throws Exception {
        Path broken = Files.createFile(folder.resolve("npu-smi"), executable());
        Files.writeString(broken, "#!/no/such/interpreter\n");

        assertThat(new NpuSmiProcess(broken, LONG).ask(List.of("info")).problem())
                .contains("cannot be started");
    }

    @Test
    void aThreadThatIsInterruptedStopsWaiting() throws Exception {
        NpuSmi npuSmi = script("exec sleep 600", LONG);

        Thread.currentThread().interrupt();

        assertThat(npuSmi.ask(List.of("info")).problem()).isEqualTo("\"npu-smi info\" was interrupted");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void theProgramIsLookedForOnThePathThenInItsUsualPlaces() throws Exception {
        Path usual = Files.createDirectories(folder.resolve("usr/local/sbin"));
        script(usual, "echo usual");
        Path first = Files.createDirectories(folder.resolve("first"));

        assertThat(NpuSmi.find(folder, Map.of("PATH", first.toString()), LONG)
                        .ask(List.of())
                        .text())
                .isEqualTo("usual\n");
        script(first, "echo first");
        assertThat(NpuSmi.find(folder, Map.of("PATH", "relative::" + first), LONG)
                        .ask(List.of())
                        .text())
                .isEqualTo("first\n");
    }

    @Test
    void aProgramThatIsNowhereIsMissed() {
        assertThat(NpuSmi.find(folder, Map.of(), LONG).ask(List.of("info")).problem())
                .isEqualTo("npu-smi is not on the path");
    }

    private static void awaitEnd(long pid) throws Exception {
        ProcessHandle process = ProcessHandle.of(pid).orElse(null);
        if (process != null) {
            process.onExit().get(10, TimeUnit.SECONDS);
        }
    }

    private NpuSmi script(String body, Duration patience) throws IOException {
        return new NpuSmiProcess(script(folder, body), patience);
    }

    private static Path script(Path folder, String body) throws IOException {
        Path script = Files.createFile(folder.resolve("npu-smi"), executable());
        return Files.writeString(script, "#!/bin/sh\n" + body + "\n");
    }

    private static FileAttribute<?> executable() {
        return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    }
}
