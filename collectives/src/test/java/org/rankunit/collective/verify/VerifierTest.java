package org.rankunit.collective.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.DType;
import org.rankunit.collective.algorithms.mesh.AllGatherMeshOpbaseExecutor;
import org.rankunit.collective.algorithms.ring.RingAllReduce;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.MemoryMode;

@Tag("unit")
class VerifierTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 7, 16, 33})
    void aRingIsCorrect(int ranks) {
        for (long count : new long[] {0, 1, ranks - 1, ranks, ranks + 1, 4L * ranks}) {
            CollectiveCall call = CollectiveCall.of(Collective.ALL_REDUCE, ranks, DType.FLOAT32, count);
            for (CollectiveCall each : Stream.of(call, call.withInPlace(true)).toList()) {
                Verification found = Verifier.verify(new RingAllReduce(), each);

                assertThat(found.findings()).as(each.toString()).isEmpty();
                assertThat(found.sameEveryRun()).isTrue();
                assertThat(found.sameOnAllRanks()).isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 8})
    void aMeshIsCorrect(int ranks) {
        CollectiveCall call = CollectiveCall.of(Collective.ALL_GATHER, ranks, DType.FLOAT16, 100)
                .withMemory(MemoryMode.SINGLE_OPERATOR, 1 << 20);

        assertThat(Verifier.verify(new AllGatherMeshOpbaseExecutor(), call).findings())
                .isEmpty();
    }
}
