package org.rankunit.collective.algorithms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.rankunit.collective.assertions.CollectiveAssertions.assertThatCollective;
import static org.rankunit.collective.assertions.CollectiveAssertions.ranks;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.rankunit.collective.CollectiveAlgorithm;

@Tag("unit")
class BuiltinAlgorithmsTest {

    /** {@link RepertoireOfManyRanksTest} goes on. */
    static final int FEW = 8;

    static List<CollectiveAlgorithm> algorithms() {
        return BuiltinAlgorithms.all();
    }

    @ParameterizedTest
    @Execution(ExecutionMode.CONCURRENT)
    @MethodSource("algorithms")
    void everyAlgorithmIsCorrectForFewRanks(CollectiveAlgorithm algorithm) {
        assertThatCollective(algorithm).isCorrectFor(ranks(1, FEW));
    }

    @Test
    void namesAreUnique() {
        assertThat(algorithms()).extracting(CollectiveAlgorithm::name).doesNotHaveDuplicates();
    }
}
