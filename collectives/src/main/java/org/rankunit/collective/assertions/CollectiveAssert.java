package org.rankunit.collective.assertions;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apiguardian.api.API;
import org.opentest4j.AssertionFailedError;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.verify.Verification;
import org.rankunit.collective.verify.Verifier;
import org.rankunit.collective.verify.finding.Promise;
import org.rankunit.collective.verify.sweep.Selection;
import org.rankunit.collective.verify.sweep.Sweep;

/**
 * What a test can assert about an algorithm. An assertion about numbers of ranks verifies many {@linkplain Sweep calls} of each, and prints
 * which values these cover, and which they do not.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class CollectiveAssert {

    private static final Set<Promise> ALL = EnumSet.allOf(Promise.class);
    private static final Set<Promise> SAFETY = EnumSet.of(Promise.SAFETY);
    private static final Set<Promise> PROTOCOL = EnumSet.of(Promise.PROTOCOL);

    private final CollectiveAlgorithm algorithm;
    private final Selection selection;

    CollectiveAssert(CollectiveAlgorithm algorithm, Selection selection) {
        this.algorithm = algorithm;
        this.selection = selection;
    }

    /** Use these values of parameters for all calls of the assertions that follow. */
    public CollectiveAssert with(Selection values) {
        return new CollectiveAssert(algorithm, values);
    }

    /**
     * Assert that nothing is found.
     *
     * @throws AssertionFailedError with all that was found at the smallest number of ranks at which something was found
     * @throws IllegalArgumentException if the algorithm applies to none of the calls
     */
    public CollectiveAssert isCorrectFor(List<Integer> ranks) {
        return keeps(ALL, ranks);
    }

    /**
     * Assert that {@linkplain Promise#SAFETY every run ends with the right result}, whichever protocol the ranks follow.
     *
     * @throws AssertionFailedError with all that was found at the smallest number of ranks at which a run can go wrong
     * @throws IllegalArgumentException if the algorithm applies to none of the calls
     */
    public CollectiveAssert isSafeFor(List<Integer> ranks) {
        return keeps(SAFETY, ranks);
    }

    /**
     * Assert that exchanges follow the {@linkplain Promise#PROTOCOL protocol}, whether they are safe or not.
     *
     * @throws AssertionFailedError with all that was found at the smallest number of ranks at which an exchange does not follow it
     * @throws IllegalArgumentException if the algorithm applies to none of the calls
     */
    public CollectiveAssert followsProtocolFor(List<Integer> ranks) {
        return keeps(PROTOCOL, ranks);
    }

    private CollectiveAssert keeps(Set<Promise> promises, List<Integer> ranks) {
        Sweep.Result result = Sweep.verify(algorithm, ranks, selection);
        String coverage = String.join("\n", result.coverage().lines());
        result.first(promises).ifPresent(found -> {
            throw new AssertionFailedError(found.report() + "\n" + result.failed() + " of " + result.verified()
                    + " calls have findings; these are those of the smallest number of ranks\n" + coverage);
        });
        System.out.println(algorithm.name() + ": verified " + result.verified() + " calls\n" + coverage);
        return this;
    }

    /**
     * Assert that nothing is found for one call.
     *
     * @throws AssertionFailedError with all that was found
     */
    public CollectiveAssert isCorrectFor(CollectiveCall call) {
        return keeps(ALL, call);
    }

    /**
     * Assert that every run of one call ends with the right result.
     *
     * @throws AssertionFailedError with all that was found
     */
    public CollectiveAssert isSafeFor(CollectiveCall call) {
        return keeps(SAFETY, call);
    }

    /**
     * Assert that the exchanges of one call follow the protocol.
     *
     * @throws AssertionFailedError with all that was found
     */
    public CollectiveAssert followsProtocolFor(CollectiveCall call) {
        return keeps(PROTOCOL, call);
    }

    private CollectiveAssert keeps(Set<Promise> promises, CollectiveCall call) {
        Verification found = Verifier.verify(algorithm, call);
        if (!promises.stream().allMatch(found::keeps)) {
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
