package org.rankunit.collective.select;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;
import org.rankunit.collective.CollectiveAlgorithm;

/**
 * The algorithm that a call gets.
 *
 * @param tag under which its resources are kept and found again: calls of one tag share them
 * @param reason why it was chosen, for people
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public record Selection(CollectiveAlgorithm algorithm, String tag, String reason) {

    static Selection of(CollectiveAlgorithm algorithm, String reason) {
        return new Selection(algorithm, algorithm.collective() + "/" + algorithm.name(), reason);
    }

    /** The name of the algorithm. */
    public String name() {
        return algorithm.name();
    }
}
