package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.DType;
import org.rankunit.DeviceCount;
import org.rankunit.MinBusBandwidth;
import org.rankunit.Platforms;
import org.rankunit.RankContext;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Resources;
import org.rankunit.collective.algorithms.mesh.MeshAllGather;
import org.rankunit.collective.algorithms.ring.RingAllReduce;
import org.rankunit.collective.bench.MeasuredCollective;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.picture.CollectivePicture;
import org.rankunit.collective.run.CollectivePlan;
import org.rankunit.collective.run.Collectives;
import org.rankunit.collective.schedule.Schedule;
import org.rankunit.engine.report.RunReport;
import org.rankunit.engine.report.json.JsonReport;

/** What the report says of collectives that tests run by schedules, in a whole run. */
@Tag("ranks")
@Timeout(120)
class CollectivesReportRunsTest {

    private static final CollectiveCall SUM = CollectiveCall.of(Collective.ALL_REDUCE, 2, DType.FLOAT32, 64);
    private static final CollectiveCall GATHER = CollectiveCall.of(Collective.ALL_GATHER, 2, DType.INT32, 16);

    private static RunReport report;

    @DeviceCount(2)
    @Platforms("a2a3sim")
    @TestMethodOrder(MethodOrderer.MethodName.class)
    static class Running {

        @Test
        void aTwoCollectives(RankContext rank) {
            try (Collectives collectives = new Collectives(rank.communicator())) {
                for (int i = 0; i < 3; i++) {
                    collectives.run("gradients", new RingAllReduce(), SUM, 0, 4096);
                }
            }
            try (CollectivePlan plan = CollectivePlan.of(rank.communicator(), new MeshAllGather(), GATHER)) {
                plan.run(0, 4096);
            }
        }

        @Test
        void bOneOfThemAgain(RankContext rank) {
            try (CollectivePlan plan = CollectivePlan.of(rank.communicator(), new RingAllReduce(), SUM)) {
                plan.run(0, 4096);
            }
        }

        @Test
        void cNone(RankContext rank) {
            rank.communicator().barrier();
        }

        @Test
        void dOneThatIsTooLarge(RankContext rank) {
            CollectiveCall call = CollectiveCall.of(Collective.ALL_GATHER, 2, DType.INT32, 1200);
            try (CollectivePlan plan = CollectivePlan.of(rank.communicator(), new ElementByElement(), call)) {
                plan.run(0, 8192);
            }
        }

        @Test
        void eOneThatFails(RankContext rank) {
            try (CollectivePlan plan = CollectivePlan.of(rank.communicator(), new RingAllReduce(), SUM)) {
                plan.run(0, 4096);
                plan.run(0, rank.rank() == 0 ? 4096 : 8192);
            }
        }
    }

    @DeviceCount(2)
    @Platforms("a2a3sim")
    @MinBusBandwidth(1e6)
    static class Measuring {

        @Test
        void measured(RankContext rank) {
            try (MeasuredCollective ring = new MeasuredCollective(rank.communicator(), new RingAllReduce(), SUM)) {
                ring.run(1);
                ring.time(5);
                assertThat(ring.wrong(1)).isZero();
            }
        }

        @Test
        void nothingMeasured(RankContext rank) {
            rank.communicator().barrier();
        }

        @Test
        @MinBusBandwidth(Double.NaN)
        void noBandwidth(RankContext rank) {}

        @Test
        @MinBusBandwidth(0)
        void zero(RankContext rank) {}
    }

    /** Has a task for each element. */
    private static final class ElementByElement implements CollectiveAlgorithm {

        private final MeshAllGather whole = new MeshAllGather();

        @Override
        public Collective collective() {
            return Collective.ALL_GATHER;
        }

        @Override
        public Optional<String> unsupportedReason(CollectiveCall call) {
            return whole.unsupportedReason(call);
        }

        @Override
        public Resources resources(CollectiveCall call, int rank) {
            return whole.resources(call, rank);
        }

        @Override
        public void orchestrate(Orchestration self) {
            int bytes = self.call().type().byteSize();
            long first = self.call().partOf(self.rank()).from();
            for (long at = 0; at < self.call().count() * bytes; at += bytes) {
                self.main().copy(self.input().part(at, bytes), self.output().part(first + at, bytes));
            }
            whole.orchestrate(self);
        }
    }

    @BeforeAll
    static void run(@TempDir Path folder) throws Exception {
        Path output = folder.resolve("out");
        EngineRun.of(folder, Map.of("rankunit.sim.devices", "2"), Running.class, Measuring.class);
        report = new JsonReport().read(output.resolve("report.json"));
    }

    private static RunReport.TestEntry test(String name) {
        return report.tests().stream()
                .filter(each -> each.name().contains("." + name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aTestListsItsCollectivesWithRunsAndTasksOfAllRanks() {
        assertThat(test("aTwo").result()).isEqualTo("passed");
        assertThat(test("aTwo").collectives())
                .extracting(
                        RunReport.CollectiveRuns::algorithm,
                        RunReport.CollectiveRuns::call,
                        RunReport.CollectiveRuns::tag,
                        RunReport.CollectiveRuns::runs,
                        RunReport.CollectiveRuns::tasks,
                        RunReport.CollectiveRuns::noPicture)
                .containsExactly(
                        tuple(
                                "RingAllReduce",
                                SUM.toString(),
                                "gradients",
                                3L,
                                Schedule.of(new RingAllReduce(), SUM).size(),
                                null),
                        tuple(
                                "MeshAllGather",
                                GATHER.toString(),
                                "",
                                1L,
                                Schedule.of(new MeshAllGather(), GATHER).size(),
                                null));
    }

    @Test
    void aTestWithoutCollectivesListsNone() {
        assertThat(test("cNone").result()).isEqualTo("passed");
        assertThat(test("cNone").collectives()).isEmpty();
    }

    @Test
    void anAlgorithmAndCallIsDrawnOnceInAReport() {
        assertThat(report.pictures())
                .containsExactly(
                        new RunReport.Picture("RingAllReduce", SUM.toString(), svg(new RingAllReduce(), SUM)),
                        new RunReport.Picture("MeshAllGather", GATHER.toString(), svg(new MeshAllGather(), GATHER)));
    }

    private static String svg(CollectiveAlgorithm algorithm, CollectiveCall call) {
        return CollectivePicture.of(Schedule.of(algorithm, call)).plainSvg();
    }

    @Test
    void aCollectiveThatIsTooLargeSaysWhyItHasNoPicture() {
        assertThat(test("dOne").result()).isEqualTo("passed");
        RunReport.CollectiveRuns ran = test("dOne").collectives().get(0);
        assertThat(ran.tasks()).isGreaterThan(2400);
        assertThat(ran.noPicture())
                .isEqualTo(CollectivePicture.unsupportedReason("ElementByElement", 2, ran.tasks())
                        .orElseThrow());
    }

    @Test
    void aTestThatFailsInARunListsItAsWell() {
        assertThat(test("eOne").result()).isEqualTo("failed");
        assertThat(test("eOne").collectives())
                .extracting(RunReport.CollectiveRuns::runs)
                .containsExactly(2L);
    }

    @Test
    void aMeasuredCollectiveHasItsBandwidthsAndIsNotJudgedOnASimulator() {
        RunReport.TestEntry test = test("measured");
        assertThat(test.result()).isEqualTo("passed");
        assertThat(test.bandwidth()).isEqualTo("@MinBusBandwidth(1000000.0) was not judged on a2a3sim");
        RunReport.Measured measured =
                Objects.requireNonNull(test.collectives().get(0).measured());
        assertThat(measured.bytes()).isEqualTo(256);
        assertThat(measured.type()).isEqualTo("float32");
        assertThat(measured.wrong()).isZero();
        assertThat(measured.busbw()).isEqualTo(measured.algbw()).isPositive();
        assertThat(test.collectives().get(0).runs()).isEqualTo(7);
    }

    @Test
    void aTestThatAsksForABandwidthAndMeasuresNothingFails() {
        assertThat(test("nothingMeasured").result()).isEqualTo("failed");
        assertThat(test("nothingMeasured").reason())
                .contains("@MinBusBandwidth(1000000.0) requires a bandwidth, but the test measured none");
    }

    @Test
    void whatIsNoBandwidthIsRefusedBeforeAnythingStarts() {
        assertThat(test("noBandwidth").reason())
                .contains(
                        "Measuring.noBandwidth: @MinBusBandwidth(NaN) is not a bandwidth. Give a number of GB/s above 0.");
        assertThat(test("zero").reason()).contains("Measuring.zero: @MinBusBandwidth(0.0) is not a bandwidth.");
        assertThat(test("zero").group()).isZero();
    }
}
