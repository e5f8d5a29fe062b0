package org.rankunit.coll.algorithms;

import static org.rankunit.coll.assertions.CollectiveAssertions.assertThatCollective;
import static org.rankunit.coll.assertions.CollectiveAssertions.ranks;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.rankunit.coll.CollectiveAlgorithm;

/** Goes on where {@link RepertoireTest} ends, and takes minutes. */
@Tag("ranks")
class RepertoireOfManyRanksTest {

    /** {@code -Dcollectives.ranks=1024} goes on with powers of two and their neighbours. */
    private static final int LARGEST = Integer.getInteger("collectives.ranks", 64);

    static List<CollectiveAlgorithm> algorithms() {
        return RepertoireTest.algorithms();
    }

    @ParameterizedTest
    @Execution(ExecutionMode.CONCURRENT)
    @MethodSource("algorithms")
    void everyAlgorithmIsCorrectForManyRanks(CollectiveAlgorithm algorithm) {
        assertThatCollective(algorithm).isCorrectFor(ranks(RepertoireTest.FEW + 1, LARGEST));
    }
}
