package org.rankunit.collective.algorithms;

import static org.rankunit.collective.assertions.CollectiveAssertions.assertThatCollective;
import static org.rankunit.collective.assertions.CollectiveAssertions.ranks;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.verify.sweep.Sweep;

/** Goes on where {@link BuiltinAlgorithmsTest} ends, and takes half a minute; the long form, which leaves out no number of ranks, takes several. */
@Tag("ranks")
class RepertoireOfManyRanksTest {

    /** {@code -Dcollectives.ranks=1024} goes on with powers of two and their neighbours. */
    private static final int LARGEST = Integer.getInteger("collectives.ranks", 64);

    private static final boolean ALL = Boolean.getBoolean("collectives.all-ranks");
    private static final int ALL_UP_TO = 16;

    /** Beyond {@link #ALL_UP_TO}: powers of two, their neighbours, primes, a power of three, and numbers with many divisors. */
    private static final Set<Integer> SOME = Set.of(17, 20, 23, 24, 27, 31, 32, 33, 48, 64);

    static List<CollectiveAlgorithm> algorithms() {
        return BuiltinAlgorithmsTest.algorithms();
    }

    @ParameterizedTest
    @Execution(ExecutionMode.CONCURRENT)
    @MethodSource("algorithms")
    void everyAlgorithmIsCorrectForManyRanks(CollectiveAlgorithm algorithm) {
        assertThatCollective(algorithm).isCorrectFor(chosen());
    }

    private static List<Integer> chosen() {
        return ranks(BuiltinAlgorithmsTest.FEW + 1, LARGEST).stream()
                .filter(n -> ALL || n <= ALL_UP_TO || n > Sweep.ALL_UP_TO || SOME.contains(n))
                .toList();
    }
}
