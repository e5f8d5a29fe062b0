package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.Buffer;
import org.rankunit.DType;
import org.rankunit.DeviceCount;
import org.rankunit.Placement;
import org.rankunit.Platforms;
import org.rankunit.RankContext;
import org.rankunit.Values;
import org.rankunit.golden.AllRanks;
import org.rankunit.golden.Golden;

/** Checks over the outputs of all ranks, in whole runs. */
@Tag("ranks")
@Timeout(120)
class AllRanksRunsTest {

    private static EngineRun run;

    @DeviceCount(3)
    @Platforms("a2a3sim")
    @Buffer(name = "output", type = DType.INT8, count = 3, role = Buffer.Role.OUTPUT, placement = Placement.WINDOW)
    @Buffer(name = "half", type = DType.FLOAT16, count = 2)
    static class Checked {

        @Test
        void concatenation(RankContext rank) {
            int first = 10 * rank.rank();
            rank.buffer("output").write((byte) first, (byte) (first + 1), (byte) (first + 2));

            Golden.of("gathered", bytes(0, 1, 2, 10, 11, 12, 20, 21, 22))
                    .verify(AllRanks.concatenation(rank, rank.buffer("output")));
        }

        @Test
        void sums(RankContext rank) {
            rank.buffer("output").write((byte) 1, (byte) rank.rank(), (byte) -1);
            rank.buffer("half").write(0.5f, rank.rank());

            Golden.of("total", bytes(3, 3, -3)).verify(AllRanks.sum(rank, rank.buffer("output")));
            Golden.of("halves", Values.float16(1.5f, 3)).verify(AllRanks.sum(rank, rank.buffer("half")));
        }

        @Test
        void aSumThatDoesNotFit(RankContext rank) {
            rank.buffer("output").write((byte) 1, (byte) 50, (byte) 0);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> AllRanks.sum(rank, rank.buffer("output")))
                    .withMessage("buffer 'output' [1]: the sum over all ranks is 150, which no int8 holds.");
        }

        @Test
        void sameBits(RankContext rank) {
            rank.buffer("output").write((byte) 1, (byte) 2, (byte) 3);
            AllRanks.requireBitIdentical("output", rank, rank.buffer("output"));
        }

        @Test
        void otherBitsOnOneRank(RankContext rank) {
            rank.buffer("output").write((byte) 1, (byte) (rank.rank() == 0 ? 9 : 2), (byte) 3);
            AllRanks.requireBitIdentical("output", rank, rank.buffer("output"));
        }

        @Test
        void lengthsMayDiffer(RankContext rank) {
            List<Values> all = rank.allGather(Values.int32(new int[rank.rank()]));
            assertThat(all).extracting(Values::count).containsExactly(0, 1, 2);
            assertThat(rank.allGather(Values.bool(rank.rank() == 1)))
                    .containsExactly(Values.bool(false), Values.bool(true), Values.bool(false));
            rank.buffer("output").write((byte) 1, (byte) 2, (byte) 3);
            Golden.of("output", bytes(1, 2, 3)).verify(rank.buffer("output"));
        }

        @Test
        void oneRankIsInABarrierInstead(RankContext rank) {
            if (rank.rank() == 1) {
                rank.barrier();
            } else {
                rank.allGather(Values.int32(1));
            }
        }

        private static Values bytes(int... values) {
            byte[] bytes = new byte[values.length];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) values[i];
            }
            return Values.int8(bytes);
        }
    }

    @DeviceCount(value = 2, communicator = false)
    @Platforms("a2a3sim")
    static class Alone {

        @Test
        void hasNoOneToGatherFrom(RankContext rank) {
            rank.allGather(Values.int32(1));
        }
    }

    @BeforeAll
    static void run(@TempDir Path folder) {
        run = EngineRun.of(folder, Map.of(), Checked.class, Alone.class);
    }

    @Test
    void outputsOfAllRanksAreSeenAtOnce() {
        assertThat(run.results(Checked.class))
                .containsExactlyInAnyOrder(
                        "SUCCESSFUL concatenation(RankContext)",
                        "SUCCESSFUL sums(RankContext)",
                        "SUCCESSFUL aSumThatDoesNotFit(RankContext)",
                        "SUCCESSFUL sameBits(RankContext)",
                        "FAILED otherBitsOnOneRank(RankContext)",
                        "SUCCESSFUL lengthsMayDiffer(RankContext)",
                        "FAILED oneRankIsInABarrierInstead(RankContext)");
    }

    @Test
    void theRankThatDiffersFromMostFails() {
        assertThat(run.message(Checked.class, "otherBitsOnOneRank(RankContext)"))
                .contains(
                        "failed on rank 0",
                        "output, expected as on ranks 1, 2: 1 of 3 elements differs (33.3 %), at [1]",
                        "ranks 1, 2 passed");
    }

    @Test
    void aRankThatDoesNotTakePartIsNamed() {
        assertThat(run.message(Checked.class, "oneRankIsInABarrierInstead(RankContext)"))
                .containsPattern("rank 1 waited in another barrier while rank [02] was in allGather."
                        + " Call it on every rank, in the same order.");
    }

    @Test
    void ranksWithoutACommunicatorAreTold() {
        assertThat(run.message(Alone.class, "hasNoOneToGatherFrom(RankContext)"))
                .contains("this test has no communicator");
    }
}
