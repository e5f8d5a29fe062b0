package org.rankunit.distributed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.DType;
import org.rankunit.Values;

@Tag("unit")
class VerdictTest {

    private static Verdict verdict(double tolerance, float... elements) {
        try (ProcessGroup dist = Distributed.initProcessGroup(
                TestMachines.machine(), TestMachines.ccl().named("ring_allreduce_tcm"), elements.length / 2)) {
            GroupTensor tensor = dist.zeros(DType.FLOAT32, 2);
            tensor.copyFrom(Values.float32(elements));
            return Verdict.of("ring", tensor, 10, tolerance);
        }
    }

    @Test
    void rightPartsAreCounted() {
        Verdict verdict = verdict(0, 10, 10, 10, 10, 10, 10);
        assertThat(verdict.line()).isEqualTo("ring (ws=3): 3 OK / 0 FAIL");
        verdict.requireAllOk();
    }

    @Test
    void wrongPartsAreNamedWithTheirMeans() {
        Verdict verdict = verdict(0.1, 10, 11, 10, 13, Float.NaN, 10);
        assertThat(verdict.line()).isEqualTo("""
                        ring (ws=3): 1 OK / 2 FAIL
                          rank 1: mean 11.5, expected 10.0, 1 elements wrong
                          rank 2: mean NaN, expected 10.0, 1 elements wrong""");
    }

    @Test
    void aLineNamesFiveAndTheErrorAll() {
        Verdict verdict = verdict(0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1);
        assertThat(verdict.line().lines()).hasSize(6);
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(verdict::requireAllOk)
                .withMessageStartingWith("ring (ws=6): 0 OK / 6 FAIL\n  rank 0: ")
                .withMessageEndingWith("  rank 5: mean 1.0, expected 10.0, 2 elements wrong");
    }
}
