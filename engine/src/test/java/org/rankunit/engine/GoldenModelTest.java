package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.Buffer;
import org.rankunit.DType;
import org.rankunit.DeviceCount;
import org.rankunit.GoldenModel;
import org.rankunit.Placement;
import org.rankunit.Platforms;
import org.rankunit.RankContext;
import org.rankunit.Rounds;
import org.rankunit.golden.Golden;
import org.rankunit.golden.files.ValueFiles;
import org.rankunit.golden.model.ModelData;
import org.rankunit.golden.model.ModelRank;
import org.rankunit.golden.model.RankModel;

/** What golden models do in whole runs. */
@Tag("ranks")
@Timeout(120)
class GoldenModelTest {

    /** The output of rank r is the input of the next rank, and the root has the sum of all. */
    static class Shift implements RankModel {

        @Override
        public void compute(ModelRank rank, ModelData data) {
            int next = (rank.rank() + 1) % rank.worldSize();
            data.input("input", inputOf(rank.rank()));
            data.output("shifted", inputOf(next));
            if (rank.rank() == rank.intParameter("root", 0)) {
                data.output("sum", rank.worldSize() * (rank.worldSize() - 1) / 2);
            } else {
                data.unwritten("sum");
            }
        }

        @Override
        public Golden check(String output, Golden golden) {
            return output.equals("shifted") ? golden.within(0, 0.25) : golden;
        }

        static float[] inputOf(int rank) {
            return new float[] {rank + 0.25f, 7919 * rank + 3, 15_485 * rank + 1.5f};
        }
    }

    @DeviceCount(2)
    @Platforms("a2a3sim")
    @Buffer(name = "input", type = DType.FLOAT32, count = 3, role = Buffer.Role.INPUT, placement = Placement.WINDOW)
    @Buffer(name = "shifted", type = DType.FLOAT32, count = 3, role = Buffer.Role.OUTPUT, placement = Placement.WINDOW)
    @Buffer(name = "sum", type = DType.INT32, count = 1, role = Buffer.Role.OUTPUT)
    @GoldenModel(Shift.class)
    @TestMethodOrder(MethodOrderer.MethodName.class)
    static class Modelled {

        @Test
        void aRight(RankContext rank) {
            shift(rank, 0);
            sum(rank);
        }

        @Test
        void bWithinTheTolerance(RankContext rank) {
            shift(rank, 0.25f);
            sum(rank);
        }

        @Test
        void cOutsideOfIt(RankContext rank) {
            shift(rank, rank.rank() == 1 ? 0.5f : 0);
            sum(rank);
        }

        @Test
        void dAllOutputsAreWrong(RankContext rank) {
            rank.barrier();
            if (rank.rank() == 1) {
                rank.buffer("sum").write(5);
            } else {
                shift(rank, 0);
                sum(rank);
            }
        }

        @Test
        void eTheOtherRanksOutput(RankContext rank) {
            rank.buffer("shifted").write(rank.buffer("input").readFloats());
            sum(rank);
        }

        @Test
        void fTheBodyFails(RankContext rank) {
            throw new IllegalStateException("on purpose");
        }

        @RepeatedTest(2)
        void gEachInvocation(RankContext rank) {
            shift(rank, 0);
            sum(rank);
        }

        private static void shift(RankContext rank, float error) {
            float[] input = Shift.inputOf(1 - rank.rank());
            assertThat(rank.buffer("input").readFloats()).containsExactly(Shift.inputOf(rank.rank()));
            rank.buffer("shifted").write(input[0] + error, input[1], input[2]);
        }

        private static void sum(RankContext rank) {
            if (rank.rank() == 0) {
                rank.buffer("sum").write(1);
            }
        }
    }

    /** Each rank has the sum of the inputs. */
    static class Sum implements RankModel {

        @Override
        public void compute(ModelRank rank, ModelData data) {
            float[] sum = new float[64];
            for (int from = 0; from < rank.worldSize(); from++) {
                float[] input = inputOf(from);
                for (int i = 0; i < sum.length; i++) {
                    sum[i] += input[i];
                }
            }
            data.input("input", inputOf(rank.rank()));
            data.output("sum", sum);
        }

        static float[] inputOf(int rank) {
            float[] input = new float[64];
            for (int i = 0; i < input.length; i++) {
                input[i] = (i * 37 + rank * 11) % 101 / 7f;
            }
            return input;
        }
    }

    @DeviceCount(2)
    @Platforms("a2a3sim")
    @Buffer(name = "input", type = DType.FLOAT32, count = 64, role = Buffer.Role.INPUT)
    @Buffer(name = "sum", type = DType.FLOAT32, count = 64, role = Buffer.Role.OUTPUT)
    @GoldenModel(Sum.class)
    static class Summed {

        @Test
        void aContributionTwice(RankContext rank) {
            float[] sum = Sum.inputOf(rank.rank());
            for (float[] other : new float[][] {Sum.inputOf(1 - rank.rank()), Sum.inputOf(0)}) {
                for (int i = 0; i < sum.length; i++) {
                    sum[i] += other[i];
                }
            }
            rank.buffer("sum").write(sum);
        }
    }

    /** Without a communicator, ranks cannot tell each other whether their outputs are right. */
    @DeviceCount(value = 2, communicator = false)
    @Platforms("a2a3sim")
    @Buffer(name = "output", type = DType.FLOAT64, count = 1, role = Buffer.Role.OUTPUT)
    @GoldenModel(Own.class)
    @TestMethodOrder(MethodOrderer.MethodName.class)
    static class Apart {

        @Test
        void aRight(RankContext rank) {
            rank.buffer("output").write((double) rank.rank());
        }

        @Test
        void bWrongOnOneRank(RankContext rank) {
            rank.buffer("output").write(0.0);
        }
    }

    static class Own implements RankModel {

        @Override
        public void compute(ModelRank rank, ModelData data) {
            data.output("output", (double) rank.rank());
        }
    }

    /** The output is the input of the next rank, times the argument. */
    static class Scaled implements RankModel {

        @Override
        public void compute(ModelRank rank, ModelData data) {
            float factor = ((Number) rank.arguments().get(0)).floatValue();
            data.input("input", input(rank.rank(), factor));
            data.output("output", scaled(rank.rank(), rank.worldSize(), factor));
        }

        static float[] input(int rank, float factor) {
            return new float[] {rank + factor, 7919 * rank - factor, 15_485 * rank + 2 * factor};
        }

        static float[] scaled(int rank, int ranks, float factor) {
            float[] output = input((rank + 1) % ranks, factor);
            for (int i = 0; i < output.length; i++) {
                output[i] *= factor;
            }
            return output;
        }
    }

    @DeviceCount(2)
    @Platforms("a2a3sim")
    @Buffer(name = "input", type = DType.FLOAT32, count = 3, role = Buffer.Role.INPUT, placement = Placement.WINDOW)
    @Buffer(name = "output", type = DType.FLOAT32, count = 3, role = Buffer.Role.OUTPUT)
    @GoldenModel(value = Scaled.class, perInvocation = true)
    @TestMethodOrder(MethodOrderer.MethodName.class)
    static class PerInvocation {

        @ParameterizedTest
        @ValueSource(ints = {2, 5})
        void aScales(int factor, RankContext rank) {
            assertThat(rank.buffer("input").readFloats()).isEqualTo(Scaled.input(rank.rank(), factor));
            scale(rank, factor);
        }

        @Rounds(2)
        @ParameterizedTest
        @ValueSource(ints = 3)
        void bInRounds(int factor, RankContext rank) {
            scale(rank, factor);
        }

        @ParameterizedTest
        @ValueSource(ints = {2, 5})
        void cOnlyWithTwo(int factor, RankContext rank) {
            scale(rank, 2);
        }

        @ParameterizedTest
        @ValueSource(ints = 3)
        void dOfTheOtherRank(int factor, RankContext rank) {
            rank.buffer("output").write(Scaled.scaled(1 - rank.rank(), 2, factor));
        }

        @ParameterizedTest
        @ValueSource(strings = "x")
        void eNoNumber(String factor, RankContext rank) {}

        @ParameterizedTest
        @ValueSource(ints = 3)
        @GoldenModel(Scaled.class)
        void fArgumentsAreNotKnown(int factor, RankContext rank) {}

        /** Reads the other rank's window, which has the input by then. */
        private static void scale(RankContext rank, float factor) {
            float[] next = new float[3];
            for (int i = 0; i < next.length; i++) {
                next[i] = rank.communicator().window(1 - rank.rank()).getFloat(4L * i) * factor;
            }
            rank.buffer("output").write(next);
        }
    }

    /** Gives an output that a rank needs not have, for one rank. */
    static class Partial implements RankModel {

        @Override
        public void compute(ModelRank rank, ModelData data) {
            data.output("output", 1f);
            if (rank.rank() == 0) {
                data.output("state", 0);
            }
        }
    }

    @DeviceCount(2)
    @Platforms("a2a3sim")
    @Buffer(name = "output", type = DType.FLOAT32, count = 1, role = Buffer.Role.OUTPUT)
    @Buffer(name = "state", type = DType.INT32, count = 1, role = Buffer.Role.INOUT)
    static class OnlyForSome {

        @Test
        @GoldenModel(Partial.class)
        void ahead(RankContext rank) {
            rank.buffer("output").write(1f);
        }

        @Test
        @GoldenModel(value = Partial.class, perInvocation = true)
        void perInvocation(RankContext rank) {
            rank.buffer("output").write(1f);
        }
    }

    private static EngineRun run;
    private static Path folder;

    @BeforeAll
    static void run(@TempDir Path temporary) {
        folder = temporary;
        run = EngineRun.of(
                temporary, Map.of(), Modelled.class, Apart.class, Summed.class, PerInvocation.class, OnlyForSome.class);
    }

    @Test
    void inputsAreLoadedAndOutputsVerifiedOnEveryRank() {
        assertThat(run.results(Modelled.class))
                .extracting(result -> result.replaceAll("\\(RankContext\\).*", ""))
                .containsExactly(
                        "SUCCESSFUL aRight",
                        "SUCCESSFUL bWithinTheTolerance",
                        "FAILED cOutsideOfIt",
                        "FAILED dAllOutputsAreWrong",
                        "FAILED eTheOtherRanksOutput",
                        "FAILED fTheBodyFails",
                        "SUCCESSFUL gEachInvocation",
                        "SUCCESSFUL gEachInvocation");
    }

    @Test
    void theCheckOfTheModelHolds() {
        assertThat(run.message(Modelled.class, "cOutsideOfIt(RankContext)"))
                .contains("failed on rank 1")
                .contains("shifted: 1 of 3 elements differs", "expected 0.25  was 0.75")
                .contains("rank 0 passed");
    }

    @Test
    void allWrongOutputsAreReported() {
        assertThat(run.message(Modelled.class, "dAllOutputsAreWrong(RankContext)"))
                .contains("failed on rank 1")
                .contains("2 outputs are wrong")
                .contains("shifted: all 3 elements differ", "was never written")
                .contains("sum (must stay unwritten): the only element differs");
    }

    @Test
    void patternsKnowWhatOtherRanksShouldHave() {
        assertThat(run.message(Modelled.class, "eTheOtherRanksOutput(RankContext)"))
                .contains("what rank");
    }

    @Test
    void patternsKnowTheInputsOfAllRanks() {
        assertThat(run.message(Summed.class, "aContributionTwice(RankContext)"))
                .contains("every differing element is what was expected with the input 'input' of rank 0 added twice");
    }

    @Test
    void aBodyThatFailsIsNotVerified() {
        assertThat(run.message(Modelled.class, "fTheBodyFails(RankContext)"))
                .contains("on purpose")
                .doesNotContain("never written");
    }

    @Test
    void ranksWithoutACommunicatorAreVerifiedToo() throws Exception {
        assertThat(run.results(Apart.class))
                .extracting(result -> result.replaceAll("\\(RankContext\\).*", ""))
                .containsExactly("SUCCESSFUL aRight", "FAILED bWrongOnOneRank");
        String message = run.message(Apart.class, "bWrongOnOneRank(RankContext)");
        assertThat(message).contains("failed on rank 1");
        Path actual = Path.of(message.replaceAll("(?s).*actual outputs: (\\S+).*", "$1"));
        assertThat(ValueFiles.read(actual.resolve("rank_0/output.npy")).toDoubles())
                .containsExactly(0);
        assertThat(ValueFiles.read(actual.resolve("rank_1/output.npy")).toDoubles())
                .containsExactly(0);
        try (Stream<Path> all = Files.list(folder.resolve("out/actual"))) {
            assertThat(all).noneMatch(each -> each.toString().contains("aRight"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ahead", "perInvocation"})
    void anOutputIsVerifiedOnEveryRankOrOnNone(String method) {
        assertThat(run.message(OnlyForSome.class, method + "(RankContext)"))
                .contains("the golden model " + Partial.class.getName()
                        + " gives the output 'state' only for ranks [0]. Give it for each of the 2 ranks.");
    }

    @Test
    void aModelSeesTheArgumentsOfAnInvocation() {
        assertThat(run.results(PerInvocation.class))
                .containsExactlyInAnyOrder(
                        "SUCCESSFUL aScales(int, RankContext)[1]",
                        "SUCCESSFUL aScales(int, RankContext)[2]",
                        "SUCCESSFUL bInRounds(int, RankContext)[1]",
                        "SUCCESSFUL cOnlyWithTwo(int, RankContext)[1]",
                        "FAILED cOnlyWithTwo(int, RankContext)[2]",
                        "FAILED dOfTheOtherRank(int, RankContext)[1]",
                        "FAILED eNoNumber(String, RankContext)[1]");
        assertThat(run.message(PerInvocation.class, "dOfTheOtherRank(int, RankContext)[1]"))
                .contains("every differing element is what rank");
        assertThat(run.message(PerInvocation.class, "eNoNumber(String, RankContext)[1]"))
                .contains("the golden model " + Scaled.class.getName() + " threw java.lang.ClassCastException")
                .contains(" for rank ");
        assertThat(run.message(PerInvocation.class, "fArgumentsAreNotKnown(int, RankContext)"))
                .contains("the arguments of the test are not known when its model is computed for all invocations; say"
                        + " @GoldenModel(value = ..., perInvocation = true)");
    }

    @Test
    void aGoldenOfAnEarlierRunIsCalledOne(@TempDir Path temporary) {
        assertThat(EngineRun.of(temporary, Map.of(), Apart.class).message(Apart.class, "bWrongOnOneRank(RankContext)"))
                .containsPattern("expected outputs: kept since \\S+, when "
                        + Own.class.getName().replace("$", "\\$") + " was computed; remove \\S+ to compute it again");
    }

    @Test
    void theActualOutputsOfAllRanksAreWritten() {
        String message = run.message(Modelled.class, "cOutsideOfIt(RankContext)");
        assertThat(message).contains("actual outputs: " + folder.resolve("out").resolve("actual"));
        Path actual = Path.of(message.replaceAll("(?s).*actual outputs: (\\S+).*", "$1"));
        assertThat(ValueFiles.read(actual.resolve("rank_0/shifted.npy")).toFloats())
                .containsExactly(1.25f, 7922, 15_486.5f);
        assertThat(ValueFiles.read(actual.resolve("rank_1/shifted.npy")).toFloats())
                .containsExactly(0.75f, 3, 1.5f);
    }
}
