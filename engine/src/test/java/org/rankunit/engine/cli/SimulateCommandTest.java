package org.rankunit.engine.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rankunit.engine.cli.OtherJvm.Said;

/** {@code rankunit simulate} in a process of its own. */
@Timeout(120)
class SimulateCommandTest {

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
        Said said = OtherJvm.rankunit("simulate", "--collective=broadcast", "--ranks=16", "--count=16");

        assertThat(said.code()).as(said.err()).isZero();
        assertThat(said.text())
                .startsWith("broadcast of 16 ranks, 16 float32, root 0\n")
                .containsPattern("BinomialBroadcast: \\d+\\.\\d{3} us")
                .contains("StagedBinomialBroadcast: needs single-operator mode");
    }

    @Test
    void aCommandWithoutAlgorithmsIsRefused() throws Exception {
        assertThat(OtherJvm.rankunit("simulate").err()).contains("Name algorithms, or a collective by --collective.");
        assertThat(OtherJvm.rankunit("simulate", "--collective=sort").err())
                .contains("--collective = \"sort\": expected one of all-gather, reduce-scatter");
    }

    @ParameterizedTest
    @CsvSource({
        "--ranks=0, a collective has at least one rank",
        "--count=-1, there is no negative number of elements",
        "--bandwidth=0, a bandwidth above 0 bytes/s",
        "--ports=0, at least one port",
        "--oversubscription=0.5, oversubscription is at least 1"
    })
    void whatCannotBeIsRefused(String option, String reason) throws Exception {
        Said said = OtherJvm.rankunit("simulate", "RingAllReduce", option);

        assertThat(said.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(said.err()).contains(reason);
    }
}
