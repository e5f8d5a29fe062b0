package org.rankunit.collective.assertions;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.List;
import org.apiguardian.api.API;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.verify.sweep.Selection;
import org.rankunit.collective.verify.sweep.Sweep;

/**
 * Assertions about algorithms of collectives. They need no device and no ranks:
 *
 * <pre>{@code
 * @Test
 * void myAlgorithmIsCorrect() {
 *     assertThatCollective(new MyAllReduce()).isCorrectFor(ranks(2, 64));
 * }
 * }</pre>
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class CollectiveAssertions {

    private CollectiveAssertions() {}

    /** Begin an assertion. */
    public static CollectiveAssert assertThatCollective(CollectiveAlgorithm algorithm) {
        return new CollectiveAssert(algorithm, Selection.ALL);
    }

    /** Choose numbers of ranks: all up to 64, and beyond them powers of two with their neighbours. */
    public static List<Integer> ranks(int smallest, int largest) {
        return Sweep.ranks(smallest, largest);
    }
}
