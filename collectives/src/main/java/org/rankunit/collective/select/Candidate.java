package org.rankunit.collective.select;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Optional;
import java.util.OptionalDouble;
import org.apiguardian.api.API;
import org.rankunit.collective.CollectiveAlgorithm;

/**
 * An algorithm for a collective that may be chosen.
 *
 * @param seconds that it takes by the model; empty if it does not apply
 * @param unsupportedReason why it does not apply, as in "needs a power of two of ranks"
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public record Candidate(CollectiveAlgorithm algorithm, OptionalDouble seconds, Optional<String> unsupportedReason) {}
