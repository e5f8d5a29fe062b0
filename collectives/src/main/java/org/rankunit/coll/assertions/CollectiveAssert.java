package org.rankunit.coll.assertions;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.List;
import org.apiguardian.api.API;
import org.opentest4j.AssertionFailedError;
import org.rankunit.coll.CollectiveAlgorithm;
import org.rankunit.coll.call.CollectiveCall;
import org.rankunit.coll.verify.Sweep;
import org.rankunit.coll.verify.Verification;
import org.rankunit.coll.verify.Verifier;

/**
 * What a test can assert about an algorithm.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class CollectiveAssert {

    private final CollectiveAlgorithm algorithm;

    CollectiveAssert(CollectiveAlgorithm algorithm) {
        this.algorithm = algorithm;
    }

    /**
     * Verify the algorithm for these numbers of ranks, each with many {@linkplain Sweep calls}.
     *
     * @throws AssertionFailedError with all that was found at the smallest number of ranks at which something was found
     * @throws IllegalArgumentException if the algorithm applies to none of the calls
     */
    public CollectiveAssert isCorrectFor(List<Integer> ranks) {
        Sweep.Result result = Sweep.verify(algorithm, ranks);
        result.first().ifPresent(found -> {
            throw new AssertionFailedError(found.report() + "\n" + result.failed() + " of " + result.verified()
                    + " calls have findings; these are those of the smallest number of ranks");
        });
        return this;
    }

    /**
     * Verify the algorithm for one call.
     *
     * @throws AssertionFailedError with all that was found
     */
    public CollectiveAssert isCorrectFor(CollectiveCall call) {
        Verification found = Verifier.verify(algorithm, call);
        if (!found.isCorrect()) {
            throw new AssertionFailedError(found.report());
        }
        return this;
    }

    /**
     * Assert that the result has the same bits in every run.
     *
     * @throws AssertionFailedError if an order of reductions is open
     */
    public CollectiveAssert hasSameBitsInEveryRun(CollectiveCall call) {
        if (!Verifier.verify(algorithm, call).sameEveryRun()) {
            throw new AssertionFailedError(algorithm.name() + " reduces in an order that depends on timing: " + call);
        }
        return this;
    }

    /**
     * Assert that all ranks get the same bits.
     *
     * @throws AssertionFailedError if ranks reduce in different orders
     */
    public CollectiveAssert hasSameBitsOnAllRanks(CollectiveCall call) {
        if (!Verifier.verify(algorithm, call).sameOnAllRanks()) {
            throw new AssertionFailedError(
                    algorithm.name() + " reduces in different orders on different ranks: " + call);
        }
        return this;
    }
}
