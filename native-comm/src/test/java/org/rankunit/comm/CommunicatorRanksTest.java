package org.rankunit.comm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Communicators of several ranks, each in a JVM of its own. */
@Tag("ranks")
class CommunicatorRanksTest {

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({"2, 100 101", "4, 100 101 102 103"})
    void everyRankSeesEveryWindow(int worldSize, String expected) throws Exception {
        assertThat(RankProcess.run(RankScenario.EXCHANGE, worldSize, folder))
                .hasSize(worldSize)
                .containsOnly(expected);
        assertThat(folder.resolve("root")).doesNotExist();
        assertThat(folder.resolve("tmp")).isEmptyDirectory();
    }

    @Test
    void anAbortReleasesAPeerAndNamesTheFailedRank() throws Exception {
        List<String> outputs = RankProcess.run(RankScenario.ABORT, 2, folder);

        assertThat(outputs.get(0))
                .isEqualTo("ABORTED by 1: rank 0 of 2, barrier: aborted because of rank 1: golden differs");
        assertThat(outputs.get(1))
                .isEqualTo("ABORTED by 1: rank 1 of 2, barrier: aborted because of rank 1: golden differs");
    }

    @Test
    void aPeerThatDiesIsNamedOnAllOthers() throws Exception {
        List<String> outputs = RankProcess.run(RankScenario.DEATH, 3, folder);

        assertThat(outputs.get(0)).startsWith("PEER_DIED by 1: rank 0 of 3, barrier: rank 1 (process ");
        assertThat(outputs.get(2)).startsWith("PEER_DIED by 1: rank 2 of 3, barrier: rank 1 (process ");
    }

    @Test
    void aPeerThatHasLeftIsNotWaitedFor() throws Exception {
        List<String> outputs = RankProcess.run(RankScenario.LEAVE, 2, folder);

        assertThat(outputs.get(0))
                .isEqualTo("PEER_LEFT by 1: rank 0 of 2, barrier: rank 1 has left the communicator while rank 0 waited"
                        + " in barrier #1");
    }

    @Test
    void aTimeoutNamesWhoIsMissing() throws Exception {
        List<String> outputs = RankProcess.run(RankScenario.LATE, 2, folder);

        assertThat(outputs.get(0))
                .matches("TIMEOUT: rank 0 of 2, barrier: rank 0 waited \\d+ ms in barrier #1; rank 1 had not arrived");
        assertThat(outputs.get(1)).startsWith("ABORTED by 1: ").endsWith("; rank 1 had not arrived");
    }

    @Test
    void ranksWithDifferentWindowsBothSaySo() throws Exception {
        assertThat(RankProcess.run(RankScenario.MISMATCH, 2, folder))
                .allSatisfy(
                        output -> assertThat(output).startsWith("MISMATCH: ").contains("of 8192 bytes", "for 4096"));
    }
}
