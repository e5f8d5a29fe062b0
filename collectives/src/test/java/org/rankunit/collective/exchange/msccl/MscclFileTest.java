package org.rankunit.collective.exchange.msccl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.DType;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.MemoryMode;
import org.rankunit.collective.exchange.msccl.xml.MscclFormatException;
import org.rankunit.collective.schedule.Schedule;
import org.rankunit.collective.simulate.LinkModel;
import org.rankunit.collective.simulate.Simulation;
import org.rankunit.collective.simulate.Topology;
import org.rankunit.collective.verify.Verification;
import org.rankunit.collective.verify.Verifier;
import org.rankunit.collective.verify.finding.FindingKind;
import org.rankunit.collective.verify.sweep.Selection;
import org.rankunit.collective.verify.sweep.Sweep;

/** What a file must be, and for which calls an algorithm from a file is. */
@Tag("unit")
class MscclFileTest {

    @TempDir
    private Path folder;

    private Path write(String text) throws IOException {
        return Files.writeString(folder.resolve("program.xml"), text);
    }

    private MscclAlgorithm read(String text) throws IOException {
        return MscclFile.read(write(text));
    }

    /** A change of line 3 or 4 of the program of a ring, or of all of it; the place and the reason. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "</algo>         | ~ ~ | the XML is not well formed: XML document structures must start and end within",
                "chan=\"0\"      | chan=0 | line 3: the XML is not well formed: Open quote is expected",
                "<algo           | <!DOCTYPE algo [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><algo | line 1: document types",
                "name=\"allreduce\" | name=\"&x;\" | line 1: the XML is not well formed",
                "<algo name=     | <graph name= | line 1: <graph>: expected <algo> at the top",
                "<tb id=\"0\"    | <op id=\"0\" | line 3: <op>: expected <tb> inside <gpu>",
                "coll=\"allreduce\" | ~ ~ | line 1: <algo>: there is no attribute coll; add it",
                "coll=\"allreduce\" | coll=\"custom\" | coll=\"custom\"; expected allgather, allreduce, alltoall, broadcast",
                "proto=\"Simple\" | proto=\"Fast\" | proto=\"Fast\"; expected Simple, LL or LL128",
                "nchunksperloop=\"2\" | nchunksperloop=\"two\" | nchunksperloop=\"two\"; expected a number from 1 to 1048576",
                "nchunksperloop=\"2\" | nchunksperloop=\"99999999999\" | nchunksperloop=\"99999999999\"; expected a number",
                "ngpus=\"2\"     | ngpus=\"3\" | there is no <gpu id=\"2\">, but ngpus=\"3\"",
                "ngpus=\"2\"     | ngpus=\"1\" | line 3: <tb>: send=\"1\"; expected a number from -1 to 0",
                "inplace=\"0\"   | inplace=\"0\" outofplace=\"0\" | inplace and outofplace are both 0",
                "gpu id=\"1\"    | gpu id=\"0\" | <gpu>: id=\"0\" is also that of the gpu in line 2",
                "tb id=\"0\"     | tb id=\"1\" | line 3: <tb>: id=\"1\"; threadblocks of a gpu are numbered 0, 1, 2",
                "send=\"1\"      | send=\"0\" | line 3: <tb>: send=\"0\", which is its own gpu",
                "send=\"1\"      | send=\"-1\" | line 4: <step>: type s sends, but its threadblock 0 has send=\"-1\"",
                "chan=\"0\"      | chan=\"2\" | line 3: <tb>: chan=\"2\"; expected a number from 0 to 1",
                "step s=\"0\"    | step s=\"4\" | line 4: <step>: s=\"4\"; steps are numbered 0, 1, 2 and so on: expected 0",
                "type=\"s\"      | type=\"send\" | line 4: <step>: type=\"send\"; expected s, r, rcs, rrs, rrc, rrcs, cpy, re",
                "srcbuf=\"i\"    | srcbuf=\"x\" | line 4: <step>: srcbuf=\"x\"; expected i, o or s",
                "srcoff=\"0\"    | srcoff=\"2\" | srcoff=\"2\" and cnt=\"1\" are outside of buffer i, which has 2 chunks here",
                "cnt=\"1\"       | cnt=\"0\" | line 4: <step>: cnt=\"0\"; expected a number from 1 to 1048576",
                "cnt=\"1\"       | cnt=\"2\" | it receives 1 chunks, and message 0 from gpu 0 on channel 0 has 2 (line 4)",
                "depid=\"-1\" deps=\"-1\" | depid=\"7\" deps=\"0\" | line 4: <step>: depid=\"7\"; gpu 0 has threadblocks 0 to 0",
                "depid=\"-1\" deps=\"-1\" | depid=\"0\" deps=\"0\" | deps=\"0\" waits forever: threadblock 0 has no step from",
                "depid=\"-1\" deps=\"-1\" | depid=\"0\" deps=\"-1\" | depid=\"0\", but deps names no step",
                "hasdep=\"0\"    | hasdep=\"2\" | line 4: <step>: hasdep=\"2\"; expected a number from 0 to 1",
                "type=\"s\"      | type=\"nop\" | line 5: <step>: it follows a nop and has depid=\"-1\", which MSCCL refuses",
                "type=\"s\"      | type=\"re\" | line 4: <step>: it writes to the input, which belongs to the caller",
            })
    void filesThatAreNoProgramsAreRefusedWithTheirLine(String old, String changed, String reason) throws IOException {
        String right = Examples.ringAllReduce(2, "Simple", false);
        assertThat(right).contains(old.strip());
        int at = right.indexOf(old.strip());

        Path file = write(right.substring(0, at)
                + changed.strip()
                + right.substring(at + old.strip().length()));

        assertThatThrownBy(() -> MscclFile.read(file))
                .isInstanceOf(MscclFormatException.class)
                .hasMessageStartingWith(file.toString())
                .hasMessageContaining(reason.strip());
    }

    @Test
    void sendsAndReceivesThatDoNotMeetAreRefused() throws IOException {
        XmlText alone = new XmlText("broadcast", "LL", 2, 1, false);
        alone.gpu(0, 1, 1, 0).block(1, -1, 0).step("s", "i0", "o0", 1).gpu(1, 0, 1, 0);
        XmlText never = new XmlText("broadcast", "LL", 2, 1, false);
        never.gpu(0, 1, 1, 0).gpu(1, 0, 1, 0).block(-1, 0, 0).step("r", "i0", "o0", 1);
        XmlText twice = new XmlText("broadcast", "LL", 2, 1, false);
        twice.gpu(0, 1, 1, 0)
                .block(1, -1, 0)
                .step("s", "i0", "o0", 1)
                .block(1, -1, 0)
                .step("s", "i0", "o0", 1);
        twice.gpu(1, 0, 1, 0).block(-1, 0, 0).step("r", "i0", "o0", 1);

        assertThatThrownBy(() -> read(alone.toString()))
                .hasMessageEndingWith("line 4: <step>: it sends to gpu 1 on channel 0, and no step there receives");
        assertThatThrownBy(() -> read(never.toString()))
                .hasMessageEndingWith("line 6: <step>: it receives from gpu 0 on channel 0, and no step there sends");
        assertThatThrownBy(() -> read(twice.toString()))
                .hasMessageEndingWith(
                        "line 6: <tb>: threadblocks 0 and 1 of gpu 0 both send to gpu 1 on channel 0; give"
                                + " one of them another chan");
    }

    @Test
    void filesThatCannotBeReadAreRefused() throws IOException {
        Path large = folder.resolve("large.xml");
        try (RandomAccessFile sparse = new RandomAccessFile(large.toFile(), "rw")) {
            sparse.setLength(1L << 30);
        }

        assertThatThrownBy(() -> MscclFile.read(large))
                .hasMessage(large + ": the file has 1073741824 bytes; RankUnit takes up to 67108864");
        assertThatThrownBy(() -> MscclFile.read(folder.resolve("none.xml"))).isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> read("")).hasMessageContaining("not well formed");
    }

    @Test
    void linesOfAProgramAreOneLineWhateverItsFileIsCalled() throws IOException {
        Path file = Files.writeString(folder.resolve("two\nlines.xml"), Examples.ringAllReduce(2, "Simple", false));
        CollectiveCall call = CollectiveCall.of(Collective.ALL_REDUCE, 2, DType.FLOAT32, 4);

        Schedule schedule = Schedule.withLines(MscclFile.read(file), call);

        assertThat(schedule.rank(0).line(0)).matches("two\\?lines\\.xml:\\d+");
    }

    @Test
    void callsThatDoNotFitAreRefusedWithTheReason() throws IOException {
        MscclAlgorithm ring = read(Examples.ringAllReduce(3, "Simple", false));
        MscclAlgorithm inPlace = read(Examples.ringAllReduce(3, "Simple", true));
        MscclAlgorithm gather = read(Examples.hierarchicalAllGather(2, 2));
        MscclAlgorithm broadcast = read(Examples.chainBroadcast(3, 3));
        CollectiveCall call = CollectiveCall.of(Collective.ALL_REDUCE, 3, DType.FLOAT32, 6);
        CollectiveCall ofGather = CollectiveCall.of(Collective.ALL_GATHER, 4, DType.FLOAT32, 5);

        assertThat(ring.unsupportedReason(call)).isEmpty();
        assertThat(ring.unsupportedReason(call.withRanks(4))).contains("is for 3 ranks");
        assertThat(ring.unsupportedReason(call.withCount(7))).contains("needs a count that is a multiple of 3");
        assertThat(ring.unsupportedReason(call.withInPlace(true))).contains("is for calls out of place");
        assertThat(inPlace.unsupportedReason(call)).contains("is for calls in place");
        assertThat(inPlace.unsupportedReason(call.withInPlace(true))).isEmpty();
        // Two slots of one chunk of 8 bytes.
        assertThat(ring.unsupportedReason(call.withMemory(MemoryMode.SINGLE_OPERATOR, 16)))
                .isEmpty();
        assertThat(ring.unsupportedReason(call.withMemory(MemoryMode.SINGLE_OPERATOR, 15)))
                .contains("needs CCL buffers of 16 bytes for messages");
        assertThat(gather.unsupportedReason(ofGather)).isEmpty();
        assertThat(gather.unsupportedReason(ofGather.withCounts(List.of(1L, 2L, 3L, 4L))))
                .contains("needs the same number of elements on each rank");
        assertThat(broadcast.unsupportedReason(CollectiveCall.of(Collective.BROADCAST, 3, DType.INT8, 3)
                        .withRoot(1)))
                .contains("is for root 0");
        assertThat(broadcast.name() + " " + broadcast.collective() + " " + broadcast.countStep())
                .isEqualTo("broadcast broadcast 3");
    }

    @Test
    void programsOfManyRanksAreCorrectForAllTheirCalls() throws IOException {
        List<String> programs = List.of(
                Examples.ringAllReduce(8, "LL128", false),
                Examples.ringAllReduce(16, "Simple", true),
                Examples.allPairsAllReduce(8),
                Examples.allPairsInPlace(8),
                Examples.hierarchicalAllGather(4, 4),
                Examples.hierarchicalAllGather(2, 8),
                Examples.reduceScatter(8));
        for (String text : programs) {
            MscclAlgorithm program = read(text);
            Long[] counts = {0L, program.countStep(), 3 * program.countStep(), program.countStep() << 32};

            Sweep.Result result = Sweep.verify(program, List.of(program.ranks()), Selection.ALL.withCounts(counts));

            assertThat(result.first()).as(text).isEmpty();
            assertThat(result.verified()).isGreaterThan(10);
        }
    }

    @Test
    void findingsNameTheLinesOfTheFile() throws IOException {
        String text = Examples.allPairsAllReduce(2).replace("depid=\"0\" deps=\"1\"", "depid=\"-1\" deps=\"-1\"");

        Verification found = Verifier.verify(read(text), CollectiveCall.of(Collective.ALL_REDUCE, 2, DType.FLOAT32, 2));

        assertThat(found.counts()).containsKey(FindingKind.RACE);
        assertThat(found.report()).contains("(program.xml:5)", "(program.xml:11)");
    }

    @Test
    void aSendEndsBeforeItsReceive() throws IOException {
        CollectiveCall call = CollectiveCall.of(Collective.ALL_TO_ALL, 2, DType.FLOAT32, 6);

        assertThat(Verifier.verify(read(Examples.bothSendFirst(2, "Simple")), call)
                        .isCorrect())
                .isTrue();
        // Three messages do not fit into two slots, but into eight.
        assertThat(Verifier.verify(read(Examples.bothSendFirst(3, "Simple")), call)
                        .counts())
                .containsKey(FindingKind.DEADLOCK);
        assertThat(Verifier.verify(read(Examples.bothSendFirst(3, "LL")), call).isCorrect())
                .isTrue();
    }

    @Test
    void aProgramTakesAsLongAsItsTransfers() throws IOException {
        CollectiveCall call = CollectiveCall.of(Collective.ALL_REDUCE, 4, DType.FLOAT32, 4_000);
        // A chunk of 4,000 bytes takes a microsecond, and as long for the latency.
        Topology topology = Topology.uniform(new LinkModel(1e-6, 4e9, 1, true));

        double seconds = Simulation.of(Schedule.of(read(Examples.ringAllReduce(4, "Simple", false)), call), topology)
                .seconds();

        assertThat(seconds).isCloseTo(2 * 3 * 2e-6, within(1e-12));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<?xml version=\"1.0\" encoding=\"US-ASCII\"?>"
            })
    void aTextInAnotherEncodingThanItSaysIsRefused(String head) throws IOException {
        Path file = folder.resolve("latin.xml");
        Files.write(file, (head + "<algo name=\"\u00fcber\"/>").getBytes(StandardCharsets.ISO_8859_1));

        assertThatThrownBy(() -> MscclFile.read(file))
                .isInstanceOf(MscclFormatException.class)
                .hasMessageStartingWith(file.toString())
                .hasMessageEndingWith(
                        ": the text is not in the encoding that the file names, or UTF-8 if it names none;"
                                + " save it in UTF-8");
    }

    @Test
    void anEncodingThatTheFileNamesIsUsed() throws IOException {
        String ring = Examples.ringAllReduce(2, "Simple", false);
        for (Charset charset : List.of(StandardCharsets.UTF_16, StandardCharsets.ISO_8859_1, StandardCharsets.UTF_8)) {
            String head = "<?xml version='1.0' encoding='" + charset + "'?>";
            String mark = charset.equals(StandardCharsets.UTF_8) ? "\ufeff" : "";
            Path file = Files.write(
                    folder.resolve("program.xml"),
                    (mark + head + ring.replace("name=\"", "name=\"\u00fc")).getBytes(charset));
            assertThat(MscclFile.read(file).ranks())
                    .as(charset.name())
                    .isEqualTo(read(ring).ranks());
        }
        assertThatThrownBy(() -> read("<?xml version=\"1.0\" encoding=\"cp-none\"?>" + ring))
                .isInstanceOf(MscclFormatException.class)
                .hasMessageEndingWith(", line 1: there is no encoding \"cp-none\"; save the file in UTF-8");
    }
}
