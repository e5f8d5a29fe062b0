package org.rankunit.collective.exchange.msccl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.rankunit.DType;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.algorithms.BuiltinAlgorithms;
import org.rankunit.collective.algorithms.ring.RingAllGather;
import org.rankunit.collective.algorithms.ring.RingAllReduce;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.MemoryMode;
import org.rankunit.collective.schedule.Schedule;
import org.rankunit.collective.verify.Verifier;

/** Schedules that are written, and read again: they must still be right. */
@Tag("ranks")
class MscclExportTest {

    private static final int MAX_STATES = 3_000;

    @TempDir
    private Path folder;

    static List<CollectiveAlgorithm> algorithms() {
        return BuiltinAlgorithms.all().stream()
                .filter(each -> each.collective() != Collective.BARRIER && each.collective() != Collective.SEND_RECV)
                .toList();
    }

    private static List<CollectiveCall> calls(CollectiveAlgorithm algorithm) {
        List<CollectiveCall> calls = new ArrayList<>();
        for (int ranks = 1; ranks <= 5; ranks++) {
            CollectiveCall call = CollectiveCall.of(algorithm.collective(), ranks, DType.INT32, 2L * ranks + ranks % 2);
            calls.add(call);
            calls.add(call.withRanksPerServer(2));
            calls.add(call.withMemory(MemoryMode.SINGLE_OPERATOR, 16L * ranks * ranks));
            if (algorithm.collective().hasRoot()) {
                calls.add(call.withRoot(ranks - 1));
            }
            if (!algorithm.collective().hasCountsOfPairs()) {
                calls.add(call.withInPlace(true));
            }
        }
        calls.removeIf(call -> algorithm.unsupportedReason(call).isPresent());
        return calls;
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void algorithmsAreRightWhenTheyAreReadAgain(CollectiveAlgorithm algorithm) throws IOException {
        Path file = folder.resolve("written.xml");
        for (CollectiveCall call : calls(algorithm)) {
            String name = algorithm.name() + ", " + call;
            MscclFile.write(Schedule.of(algorithm, call), file);

            MscclAlgorithm read = MscclFile.read(file);

            assertThat(read.name()).isEqualTo(algorithm.name());
            for (CollectiveCall each : List.of(call, call.withCount(3 * call.count()))) {
                CollectiveCall inWindows = each.withMemory(MemoryMode.WINDOWS, each.cclBytes());
                assertThat(Verifier.verify(read, inWindows).findings()).as(name).isEmpty();
            }
        }
    }

    /** What is written does what it should by the meaning of MSCCL's steps alone, too. */
    @ParameterizedTest
    @MethodSource("algorithms")
    void whatIsWrittenIsRightForMsccl(CollectiveAlgorithm algorithm) throws IOException {
        Path file = folder.resolve("written.xml");
        for (int ranks = 2; ranks <= 3; ranks++) {
            CollectiveCall call = CollectiveCall.of(algorithm.collective(), ranks, DType.INT32, ranks);
            boolean isKnown = List.of(Collective.GATHER, Collective.SCATTER).contains(algorithm.collective());
            if (algorithm.unsupportedReason(call).isEmpty() && !isKnown) {
                MscclFile.write(Schedule.of(algorithm, call), file);

                assertThat(XmlInterpreter.of(Files.readString(file), MAX_STATES).wrong())
                        .as(algorithm.name() + ", " + call)
                        .isNull();
            }
        }
    }

    @Test
    void aFileHasAStepOnEachLine() throws IOException {
        Path file = folder.resolve("ring.xml");

        MscclFile.write(
                Schedule.of(new RingAllGather(), CollectiveCall.of(Collective.ALL_GATHER, 2, DType.FLOAT32, 6)), file);

        assertThat(Files.readAllLines(file).subList(0, 12))
                .containsExactly(
                        "<algo name=\"RingAllGather\" proto=\"Simple\" nchannels=\"1\" nchunksperloop=\"2\" ngpus=\"2\""
                                + " coll=\"allgather\" inplace=\"0\" outofplace=\"1\" minBytes=\"0\""
                                + " maxBytes=\"9223372036854775807\">",
                        "  <gpu id=\"0\" i_chunks=\"1\" o_chunks=\"2\" s_chunks=\"0\">",
                        "    <tb id=\"0\" send=\"-1\" recv=\"-1\" chan=\"0\">",
                        "      <step s=\"0\" type=\"cpy\" srcbuf=\"i\" srcoff=\"0\" dstbuf=\"o\" dstoff=\"0\" cnt=\"1\""
                                + " depid=\"-1\" deps=\"-1\" hasdep=\"1\"/>",
                        "    </tb>",
                        "    <tb id=\"1\" send=\"1\" recv=\"-1\" chan=\"0\">",
                        "      <step s=\"0\" type=\"s\" srcbuf=\"o\" srcoff=\"0\" dstbuf=\"o\" dstoff=\"0\" cnt=\"1\""
                                + " depid=\"0\" deps=\"0\" hasdep=\"0\"/>",
                        "    </tb>",
                        "    <tb id=\"2\" send=\"-1\" recv=\"1\" chan=\"0\">",
                        "      <step s=\"0\" type=\"r\" srcbuf=\"o\" srcoff=\"1\" dstbuf=\"o\" dstoff=\"1\" cnt=\"1\""
                                + " depid=\"-1\" deps=\"-1\" hasdep=\"0\"/>",
                        "    </tb>",
                        "  </gpu>");
    }

    @Test
    void whatMscclCannotExpressIsRefused() {
        Path file = folder.resolve("none.xml");
        CollectiveCall uneven = CollectiveCall.of(Collective.ALL_REDUCE, 3, DType.FLOAT32, 1000);
        CollectiveCall parts =
                CollectiveCall.of(Collective.ALL_GATHER, 2, DType.FLOAT32, 1).withCounts(List.of(1L, 2L));
        CollectiveAlgorithm barrier = BuiltinAlgorithms.all().stream()
                .filter(each -> each.collective() == Collective.BARRIER)
                .findFirst()
                .orElseThrow();

        assertThatThrownBy(() -> MscclFile.write(Schedule.of(new RingAllReduce(), uneven), file))
                .hasMessageStartingWith(
                        "RingAllReduce (all-reduce of 3 ranks, 1000 float32, sum) cannot be expressed by" + " MSCCL: ")
                .hasMessageContaining(
                        "chunks, and MSCCL takes up to 71 in a step; choose a count that all parts divide");
        assertThatThrownBy(() -> MscclFile.write(Schedule.of(new RingAllGather(), parts), file))
                .hasMessageEndingWith("MSCCL needs the same number of elements on each rank, and at least one");
        assertThatThrownBy(() -> MscclFile.write(
                        Schedule.of(barrier, CollectiveCall.of(Collective.BARRIER, 2, DType.FLOAT32, 0)), file))
                .hasMessageEndingWith("MSCCL has no barrier");
        assertThat(file).doesNotExist();
    }
}
