package org.rankunit.collective.algorithms.levels;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.rankunit.DType;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.verify.Verification;
import org.rankunit.collective.verify.Verifier;

/** A sweep has few divisions of ranks among servers; these algorithms depend on them. */
@Tag("unit")
class LevelsTest {

    private static final List<CollectiveAlgorithm> ALGORITHMS = List.of(
            new RailAllReduce(),
            new TwoLevelAllToAll(),
            new PipelineAllReduce(),
            new PipelineReduceScatter(),
            new PipelineAllGather());

    static Stream<Arguments> divisions() {
        return ALGORITHMS.stream()
                .flatMap(algorithm -> IntStream.rangeClosed(1, 6)
                        .boxed()
                        .flatMap(places -> IntStream.rangeClosed(1, 6)
                                .mapToObj(servers -> Arguments.of(algorithm, places, servers))));
    }

    private static CollectiveCall call(CollectiveAlgorithm algorithm, int places, int servers, long count) {
        return CollectiveCall.of(algorithm.collective(), places * servers, DType.FLOAT32, count)
                .withRanksPerServer(places);
    }

    @ParameterizedTest
    @MethodSource("divisions")
    void anyNumberOfServersAndOfRanksOnThemIsCorrect(CollectiveAlgorithm algorithm, int places, int servers) {
        for (long count : List.of(0L, 1L, 7L, 2L * places * servers)) {
            Verification found = Verifier.verify(algorithm, call(algorithm, places, servers, count));

            assertThat(found.findings()).as(found.report()).isEmpty();
        }
    }

    @Test
    void serversWithDifferentNumbersOfRanksAreRefused() {
        for (CollectiveAlgorithm algorithm : ALGORITHMS) {
            assertThat(algorithm.unsupportedReason(call(algorithm, 2, 2, 8).withRanksPerServer(3)))
                    .contains("needs the same number of ranks on each server");
        }
    }

    @Test
    void ranksSendOnlyTheirPartToOtherServers() {
        CollectiveCall call = call(new RailAllReduce(), 4, 3, 48);

        assertThat(Verifier.verify(new RailAllReduce(), call).cost().bytesSent())
                .isEqualTo(2 * (3 * 12 + 2 * 4) * 4);
    }
}
