package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.Buffer;
import org.rankunit.DType;
import org.rankunit.DeviceCount;
import org.rankunit.Placement;
import org.rankunit.Platforms;
import org.rankunit.RankContext;
import org.rankunit.golden.Golden;

/** What the roles of buffers change in whole runs. */
@Tag("ranks")
@Timeout(120)
class BufferRolesTest {

    private static EngineRun run;

    @DeviceCount(2)
    @Platforms("a2a3sim")
    @Buffer(
            name = "input",
            type = DType.INT32,
            shape = {2, 3},
            role = Buffer.Role.INPUT)
    @Buffer(name = "output", type = DType.FLOAT32, count = 5, role = Buffer.Role.OUTPUT, placement = Placement.WINDOW)
    @Buffer(name = "next", type = DType.INT8, count = 1, role = Buffer.Role.SCRATCH, placement = Placement.WINDOW)
    @TestMethodOrder(MethodOrderer.MethodName.class)
    static class Roles {

        @Test
        void aNothingIsWritten(RankContext rank) {
            verify(rank);
        }

        /** The last element of the output is the first byte of the guard when the kernel is off by one. */
        @Test
        void bOneElementTooMuch(RankContext rank) {
            rank.buffer("output").write(1f, 2f, 3f, 4f, 5f);
            if (rank.rank() == 1) {
                rank.device()
                        .copy(
                                rank.buffer("output").address() + 20,
                                rank.buffer("output").address(),
                                4);
            }
            verify(rank);
        }

        @Test
        void cNothingIsVerified(RankContext rank) {
            rank.buffer("output").write(1f, 2f, 3f, 4f, 5f);
        }

        @Test
        void dOneRankVerifies(RankContext rank) {
            rank.buffer("output").write(1f, 2f, 3f, 4f, 5f);
            if (rank.rank() == 0) {
                verify(rank);
            }
        }

        @Test
        void eInputsAndScratchAreZero(RankContext rank) {
            assertThat(rank.buffer("input").readInts()).containsOnly(0);
            assertThat(rank.buffer("next").readBytes()).containsOnly(0);
            assertThat(rank.buffer("input").shape()).containsExactly(2, 3);
            assertThat(rank.buffer("output").shape()).containsExactly(5);
            assertThat(rank.buffer("output").role()).isEqualTo(Buffer.Role.OUTPUT);
            rank.buffer("output").write(1f, 2f, 3f, 4f, 5f);
            verify(rank);
        }

        @Test
        @Buffer(name = "plain", type = DType.INT32, count = 3, placement = Placement.WINDOW)
        @Buffer(name = "behind", type = DType.INT32, count = 3, placement = Placement.WINDOW)
        void hBehindABufferWithoutARole(RankContext rank) {
            long plain = rank.buffer("plain").address();
            rank.device().copy(plain + 12, plain, 4);
            rank.buffer("output").write(1f, 2f, 3f, 4f, 5f);
            verify(rank);
        }

        /** More than is filled at once, and no multiple of that. */
        @Test
        @Buffer(name = "large", type = DType.INT16, count = 200_001, role = Buffer.Role.OUTPUT)
        void gAllOfALargeOutputIsFilled(RankContext rank) {
            rank.buffer("output").write(1f, 2f, 3f, 4f, 5f);
            verify(rank);
            short[] filled = new short[200_001];
            Arrays.fill(filled, (short) 0xABAB);
            Golden.of("the pattern", filled).verify(rank.buffer("large"));
        }

        @Test
        @Buffer(name = "other", type = DType.INT8, count = 3, role = Buffer.Role.OUTPUT, unverified = true)
        void fWhatNeedNotBeVerified(RankContext rank) {
            rank.buffer("output").write(1f, 2f, 3f, 4f, 5f);
            verify(rank);
        }

        private static void verify(RankContext rank) {
            Golden.of("the sum", 1f, 2f, 3f, 4f, 5f).verify(rank.buffer("output"));
        }
    }

    @DeviceCount(2)
    @Platforms("a2a3sim")
    @Buffer(name = "plain", type = DType.INT32, count = 3)
    static class OnlyAnOverrun {

        @Test
        void oneElementTooMuch(RankContext rank) {
            long address = rank.buffer("plain").address();
            rank.buffer("plain").write(1, 2, 3);
            rank.device().copy(address + 12, address, 4);
        }
    }

    @BeforeAll
    static void run(@TempDir Path folder) {
        run = EngineRun.of(folder, Map.of(), Roles.class, OnlyAnOverrun.class);
    }

    @Test
    void whatIsWrongFailsItsTestAlone() {
        assertThat(run.results(Roles.class))
                .extracting(result -> result.replaceAll("\\(RankContext\\).*", ""))
                .containsExactly(
                        "FAILED aNothingIsWritten",
                        "FAILED bOneElementTooMuch",
                        "FAILED cNothingIsVerified",
                        "SUCCESSFUL dOneRankVerifies",
                        "SUCCESSFUL eInputsAndScratchAreZero",
                        "SUCCESSFUL fWhatNeedNotBeVerified",
                        "SUCCESSFUL gAllOfALargeOutputIsFilled",
                        "FAILED hBehindABufferWithoutARole");
        assertThat(run.message(Roles.class, "hBehindABufferWithoutARole(RankContext)"))
                .contains(
                        "overrun: something wrote past the end of buffer 'plain' (3 x int32) on rank 0: bytes 0 to 3 ");
    }

    @Test
    void anOverrunFailsItsTestAndNotItsClass() {
        assertThat(run.results(OnlyAnOverrun.class)).containsExactly("FAILED oneElementTooMuch(RankContext)");
        assertThat(run.containers(OnlyAnOverrun.class))
                .isNotEmpty()
                .allMatch(container -> container.startsWith("SUCCESSFUL"));
    }

    @Test
    void anUnwrittenOutputIsCalledSo() {
        assertThat(run.message(Roles.class, "aNothingIsWritten(RankContext)"))
                .contains("the sum: all 5 elements differ", "every differing element was never written");
    }

    @Test
    void aWriteBehindABufferNamesTheRankTheBufferAndTheElement() {
        assertThat(run.message(Roles.class, "bOneElementTooMuch(RankContext)"))
                .contains("failed on rank 1")
                .contains(
                        "overrun: something wrote past the end of buffer 'output' (5 x float32) on rank 1: bytes 0 to 3 after its"
                                + " end, where element [5] would be.");
    }

    @Test
    void anOutputThatNoRankVerifiesFailsItsTest() {
        assertThat(run.message(Roles.class, "cNothingIsVerified(RankContext)"))
                .contains("left outputs unverified; all ranks passed")
                .contains("no rank compared the output 'output' with a golden. Compare it: Golden.of(\"output\", ...)"
                        + ".verify(rank.buffer(\"output\")). Or declare it with unverified = true");
    }
}
