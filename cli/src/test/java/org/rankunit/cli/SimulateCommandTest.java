package org.rankunit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rankunit.cli.OtherJvm.Said;

/** {@code rankunit simulate} in other processes, most of it in one. */
@Tag("ranks")
@Timeout(120)
class SimulateCommandTest {

    @RegisterExtension
    static final CommandsInOneJvm COMMANDS = new CommandsInOneJvm();

    @Test
    void aRingTakesWhatItsFormulaSays() throws Exception {
        Said said = OtherJvm.rankunit(
                "simulate", "RingAllReduce", "--ranks=5", "--count=5000", "--latency=3", "--bandwidth=1");

        assertThat(said.code()).as(said.err()).isZero();
        // 2 * 4 steps of 3 us and 4,000 bytes at 1 GB/s.
        assertThat(said.text())
                .startsWith("RingAllReduce, all-reduce of 5 ranks, 5000 float32, sum: 56.000 us")
                .endsWith("formula: 56.000 us, so contention and uneven parts cost 0.0 %");
    }

    @Test
    void aSlowLinkBetweenServersIsOnTheCriticalPath() throws Exception {
        Said said = OtherJvm.rankunit(
                "simulate", "RingAllReduce", "--ranks=4", "--ranks-per-server=2", "--between-bandwidth=1");

        assertThat(said.code()).as(said.err()).isZero();
        assertThat(said.text())
                .contains("2 ranks on each server")
                .contains("between servers")
                .containsPattern(
                        "of rank (1 into|1 to) output\\[\\d+, \\d+\\) of rank 2|of rank (3 into|3 to) output.* of rank 0");
    }

    @Test
    void allAlgorithmsForACollectiveAreCompared() throws Exception {
        Said said = COMMANDS.run("simulate", "--collective=broadcast", "--ranks=16", "--count=16");

        assertThat(said.code()).as(said.err()).isZero();
        assertThat(said.text())
                .startsWith("broadcast of 16 ranks, 16 float32, root 0\n")
                .containsPattern("BinomialBroadcast: \\d+\\.\\d{3} us")
                .contains("StagedBinomialBroadcast: needs single-operator mode");
    }

    @Test
    void anAlgorithmOfAUserIsComparedWithOthers() throws Exception {
        Said said = COMMANDS.run(
                "simulate",
                "--collective=broadcast",
                "--ranks=4",
                "--count=16",
                "--class-path",
                VerifyCommandTest.classes(),
                VerifyCommandTest.Impatient.class.getName());

        assertThat(said.code()).as(said.err()).isZero();
        assertThat(said.text()).containsPattern("Impatient: \\d+\\.\\d{3} us").contains("BinomialBroadcast: ");
        assertThat(COMMANDS.run("simulate", "--collective=broadcast", "RingAllReduce")
                        .err())
                .contains("RingAllReduce is an algorithm for all-reduce, not for broadcast.");
    }

    @Test
    void anAlgorithmThatWaitsForEverIsASentence() throws Exception {
        String[] arguments = {
            "--class-path", VerifyCommandTest.classes(), VerifyCommandTest.Waiting.class.getName(), "--ranks=2"
        };
        Said said = COMMANDS.run(
                Stream.concat(Stream.of("simulate"), Stream.of(arguments)).toArray(String[]::new));

        assertThat(said.code()).isEqualTo(ExitCodes.NOT_WELL);
        assertThat(said.err()).isEmpty();
        assertThat(said.text())
                .startsWith("Waiting, broadcast of 2 ranks, 262144 float32, root 0: 2 streams wait forever:\n")
                .contains("WAIT for ACK from rank 1 to rank 0, task 0 of the main stream of rank 0");
        assertThat(COMMANDS.run(Stream.concat(Stream.of("simulate", "--collective=broadcast"), Stream.of(arguments))
                                .toArray(String[]::new))
                        .text())
                .contains("Waiting: waits forever");
    }

    @Test
    void aCommandWithoutAlgorithmsIsRefused() throws Exception {
        assertThat(OtherJvm.rankunit("simulate").err()).contains("Name algorithms, or a collective by --collective.");
        assertThat(COMMANDS.run("simulate", "--collective=sort").err())
                .contains("--collective = \"sort\": expected one of all-gather, reduce-scatter");
    }

    @ParameterizedTest
    @CsvSource({
        "--ranks=0, a collective has at least one rank",
        "--ranks=2147483647, --ranks = 2147483647: expected 1 to 1048576 ranks.",
        "--count=-1, the number of elements cannot be negative",
        "--count=9223372036854775807, No such call: count = 9223372036854775807: expected at most 72057594037927936 float32",
        "--count=9223372036854775808, Invalid value for option '--count'",
        "--bandwidth=0, a bandwidth above 0 bytes/s",
        "--ports=0, at least one port",
        "--oversubscription=0.5, oversubscription is at least 1"
    })
    void whatCannotBeIsRefused(String option, String reason) throws Exception {
        Said said = COMMANDS.run("simulate", "RingAllReduce", option);

        assertThat(said.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(said.err()).contains(reason);
    }

    @Test
    void aMachineIsReadFromAFile(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("topology.yaml"), """
                levels:
                  - {name: server, members: 4, latency_us: 2, bandwidth_gbps: 56}
                  - {name: all, latency_us: 5, bandwidth_gbps: 25, oversubscription: 2}
                """);

        Said fromFile = COMMANDS.run("simulate", "RingAllReduce", "--ranks=16", "--topology=" + file);
        Said fromOptions = COMMANDS.run(
                "simulate",
                "RingAllReduce",
                "--ranks=16",
                "--ranks-per-server=4",
                "--between-latency=5",
                "--between-bandwidth=25",
                "--oversubscription=2");

        assertThat(fromFile.code()).as(fromFile.err()).isZero();
        assertThat(fromFile.text()).contains("4 ranks on each server").isEqualTo(fromOptions.text());
    }

    @Test
    void aFileThatIsNoMachineIsRefusedWithItsPlace(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("topology.yaml"), "levels:\n  - {name: a, latency: 2}\n");

        Said unknownKey = COMMANDS.run("simulate", "RingAllReduce", "--topology=" + file);
        Said twice = COMMANDS.run("simulate", "RingAllReduce", "--topology=" + file, "--latency=3");

        assertThat(unknownKey.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(unknownKey.err())
                .contains("--topology: " + file + ", line 2, column 15: there is no key \"levels[0].latency\"");
        assertThat(twice.err()).contains("--latency has no meaning with --topology: the file specifies it.");
    }

    @Test
    void anExportedFileTakesAsLongAsItsAlgorithm(@TempDir Path folder) throws Exception {
        Path goal = folder.resolve("made").resolve("ring.goal");
        Path traces = folder.resolve("traces");
        Said exported = COMMANDS.run(
                "simulate",
                "RingAllReduce",
                "--ranks=5",
                "--count=5000",
                "--latency=3",
                "--bandwidth=1",
                "--export=goal=" + goal,
                "--export=chakra=" + traces);

        assertThat(exported.code()).as(exported.err()).isZero();
        assertThat(exported.text())
                .startsWith("RingAllReduce, all-reduce of 5 ranks, 5000 float32, sum: 56.000 us")
                .endsWith("  written: " + goal + "\n  written: " + traces.resolve("RingAllReduce.0.et") + " to "
                        + traces.resolve("RingAllReduce.4.et"));
        assertThat(goal).content().startsWith("num_ranks 5\n\nrank 0 {\nl1: calc 0\n");
        try (Stream<Path> files = Files.list(traces)) {
            assertThat(files).hasSize(5);
        }

        assertThat(COMMANDS.run("simulate", "--import=" + traces, "--signal-bytes=1", "--latency=3", "--bandwidth=1")
                        .text())
                .startsWith("traces, ")
                .contains(" operations of 5 ranks: 56.000 us");

        Said imported =
                COMMANDS.run("simulate", "--import=" + goal, "--signal-bytes=1", "--latency=3", "--bandwidth=1");

        assertThat(imported.code()).as(imported.err()).isZero();
        assertThat(imported.out())
                .hasSize(3)
                .element(0, InstanceOfAssertFactories.STRING)
                .startsWith("ring.goal, ")
                .endsWith(" operations of 5 ranks: 56.000 us");
        assertThat(imported.out())
                .endsWith("  ranks end from 56.000 us to 56.000 us", "  40 messages of 160,000 bytes took time");
    }

    @Test
    void aProgramOfMscclIsWrittenVerifiedAndTimed(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("made").resolve("ring.xml");

        Said written = COMMANDS.run(
                "simulate",
                "RingAllReduce",
                "--ranks=4",
                "--count=4000",
                "--latency=3",
                "--bandwidth=1",
                "--export=msccl=" + file);
        Said timed = COMMANDS.run("simulate", file.toString(), "--latency=3", "--bandwidth=1");
        Said verified = COMMANDS.run("verify", file.toString(), "--ranks-per-server=4");

        assertThat(written.text()).endsWith("  written: " + file);
        assertThat(timed.code()).as(timed.err()).isZero();
        assertThat(timed.text()).startsWith("RingAllReduce, all-reduce of 4 ranks, 262144 float32, sum: ");
        assertThat(verified.code()).as(verified.text() + verified.err()).isZero();
        assertThat(verified.text()).startsWith("RingAllReduce: correct; ").endsWith("1 correct, 0 with findings");
    }

    @Test
    void whatIsWrongInAFileIsSaidWithItsLine(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("ring.xml");
        COMMANDS.run("simulate", "RingAllReduce", "--ranks=2", "--count=8", "--export=msccl=" + file);
        String text = Files.readString(file);
        Path broken = Files.writeString(folder.resolve("broken.xml"), text.replaceFirst("type=\"s\"", "type=\"send\""));
        long line = Files.readAllLines(broken).stream()
                        .takeWhile(each -> !each.contains("type=\"send\""))
                        .count()
                + 1;
        Path racing = Files.writeString(
                folder.resolve("racing.xml"),
                text.replaceAll("depid=\"\\d+\" deps=\"\\d+\"", "depid=\"-1\" deps=\"-1\""));

        Said refused = COMMANDS.run("verify", broken.toString());
        Said wrong = COMMANDS.run("verify", racing.toString());
        Said odd = COMMANDS.run("simulate", file.toString(), "--count=7");

        assertThat(refused.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(refused.err()).startsWith(broken + ", line " + line + ": <step>: type=\"send\"; expected s, r, rcs");
        assertThat(wrong.code()).isEqualTo(ExitCodes.NOT_WELL);
        assertThat(wrong.text()).contains("race", "(racing.xml:");
        assertThat(odd.code()).isEqualTo(ExitCodes.NOT_WELL);
        assertThat(odd.text()).contains("it needs a count that is a multiple of 2");
    }

    @Test
    void aPictureIsWrittenAsSvgOrAsAPage(@TempDir Path folder) throws Exception {
        Path svg = folder.resolve("made").resolve("ring.svg");
        Path page = folder.resolve("ring.html");

        Said said = COMMANDS.run("simulate", "RingAllReduce", "--ranks=4", "--picture=" + svg);

        assertThat(said.code()).as(said.err()).isZero();
        assertThat(said.text()).endsWith("  written: " + svg);
        assertThat(svg)
                .content()
                .startsWith("<svg xmlns=")
                .contains("RingAllReduce, all-reduce of 4 ranks, 262144 float32, sum", "(RingAllReduce.java:");
        assertThat(COMMANDS.run("simulate", "RingAllReduce", "--ranks=2", "--picture=" + page)
                        .code())
                .isZero();
        assertThat(page).content().startsWith("<!doctype html>").contains("<svg xmlns=");
    }

    @Test
    void aScheduleThatIsTooLargeForAPictureSaysSo(@TempDir Path folder) throws Exception {
        Path svg = folder.resolve("ring.svg");

        Said said = COMMANDS.run("simulate", "RingAllReduce", "--ranks=17", "--picture=" + svg);

        assertThat(said.code()).as(said.err()).isZero();
        assertThat(said.text())
                .contains("no picture: RingAllReduce of 17 ranks has ")
                .endsWith("a picture shows at most 16 ranks and 1,000 tasks");
        assertThat(svg).doesNotExist();
    }

    @Test
    void signalsOfAFileTakeTimeUnlessTheCallerSaysOtherwise(@TempDir Path folder) throws Exception {
        Path goal = Files.writeString(
                folder.resolve("one.goal"), "num_ranks 2\nrank 0 {\nsend 1b to 1\n}\nrank 1 {\nrecv 1b from 0\n}\n");

        assertThat(COMMANDS.run("simulate", "--import=" + goal, "--bandwidth=0.001")
                        .text())
                .startsWith("one.goal, 2 operations of 2 ranks: 3.000 us");
        assertThat(COMMANDS.run("simulate", "--import=" + goal, "--ranks-per-server=1", "--between-latency=9")
                        .text())
                .startsWith("one.goal, 2 operations of 2 ranks, 1 rank on each server: 9.000 us");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "RingAllReduce --export=xml=a | --export = \"xml=a\": expected goal=FILE, chakra=FOLDER or msccl=FILE.",
                "RingAllReduce --export=goal= | --export = \"goal=\": expected goal=FILE, chakra=FOLDER or msccl=FILE.",
                "RingAllReduce RingAllGather --export=goal=a | --export needs one algorithm.",
                "--collective=all-reduce --export=goal=a | --export needs one algorithm.",
                "RingAllReduce --export=goal=/proc/none/a | --export: /proc/none/a cannot be written: ",
                "RingAllReduce --picture=a.png | --picture = \"a.png\": expected a file that ends in .svg or .html.",
                "RingAllReduce RingAllGather --picture=a.svg | --picture needs one algorithm.",
                "RingAllReduce --picture=/proc/none/a.svg | --picture: /proc/none/a.svg cannot be written: ",
                "--import=a --picture=a.svg | --picture has no meaning with --import.",
                "RingAllReduce --signal-bytes=1 | --signal-bytes needs --import: signals of an algorithm take no time.",
                "--import=a RingAllReduce | --import: a file has operations of its own; name no algorithm",
                "--import=a --ranks=4 | --ranks has no meaning with --import.",
                "--import=a --ranks-per-server=0 | --ranks-per-server = 0: a server has at least one rank.",
                "--import=/none/a.goal | --import: /none/a.goal cannot be read: it does not exist.",
                "--import=/ | --import: /: there are no execution traces. They are files NAME.0.et, NAME.1.et and so on",
                "none.xml | none.xml cannot be read: it does not exist.",
                "MeshBarrier --count=0 --export=msccl=/tmp/a | --export: MeshBarrier (barrier of 8 ranks) cannot be"
            })
    void exportsAndImportsThatCannotBeAreRefused(String options, String reason) throws Exception {
        String[] arguments = Stream.concat(Stream.of("simulate"), Stream.of(options.split(" ", -1)))
                .toArray(String[]::new);
        Said said = COMMANDS.run(arguments);

        assertThat(said.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(said.err()).startsWith(reason);
    }

    @Test
    void tracesThatAreNoneAreRefusedWithTheirPlace(@TempDir Path folder) throws Exception {
        Path broken = Files.write(folder.resolve("broken.0.et"), new byte[] {9, 1});

        Said said = COMMANDS.run("simulate", "--import=" + folder.resolve("broken"));

        assertThat(said.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(said.err())
                .startsWith("--import: " + broken + ", byte 0: a message of 9 bytes, but the file ends after 1");
    }

    @Test
    void aFileThatIsNoGoalIsRefusedWithItsPlace(@TempDir Path folder) throws Exception {
        Path broken = Files.writeString(folder.resolve("broken.goal"), "num_ranks 2\nrank 2 {\n");
        Path stuck = Files.writeString(
                folder.resolve("stuck.goal"),
                "num_ranks 1\nrank 0 {\na: recv 4b from 0\nb: send 4b to 0\nb requires a\n}\n");

        Said said = COMMANDS.run("simulate", "--import=" + broken);
        Said waits = COMMANDS.run("simulate", "--import=" + stuck);

        assertThat(said.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(said.err().strip())
                .isEqualTo("--import: " + broken + ", line 2, column 6: \"2\"; expected a rank from 0 to 1");
        assertThat(waits.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(waits.err()).startsWith("--import: " + stuck + ": 2 operations wait forever:\n  recv 4b from 0");
    }

    @ParameterizedTest
    @CsvSource({
        "--topology=, latin.yaml, 'line 1, column 2: the byte 0xe9 is not UTF-8; save the file in UTF-8'",
        "--import=, latin.goal, 'line 1, column 2: a byte that is not UTF-8; expected a file that is saved in UTF-8'",
        "'', latin.xml, the text is not in the encoding that the file names"
    })
    void aFileThatIsNoTextInUtf8IsOneSentence(String option, String name, String reason, @TempDir Path folder)
            throws Exception {
        Path file = Files.write(folder.resolve(name), "a\u00e9 b\n".getBytes(StandardCharsets.ISO_8859_1));

        Said said = option.equals("--topology=")
                ? COMMANDS.run("simulate", "RingAllReduce", option + file)
                : COMMANDS.run("simulate", option + file);

        assertThat(said.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(said.err()).contains(name).contains(reason).hasLineCount(1);
    }
}
