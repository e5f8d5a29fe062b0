package org.rankunit.collective;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;

/**
 * An algorithm for one collective: when it applies, which resources it needs, and which tasks each rank runs.
 *
 * <p>Both {@link #resources} and {@link #orchestrate} are called for each rank. They depend on nothing but the call and the rank,
 * so that all ranks agree. What {@link #orchestrate} queues is run, verified and timed, always the same tasks.
 *
 * <p>Threads: methods may be called from several threads at once.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public interface CollectiveAlgorithm {

    /** The name that selection returns and reports show; the name of the class unless it is overridden. */
    default String name() {
        return getClass().getSimpleName();
    }

    Collective collective();

    /** Say why this algorithm cannot make the call, as in "needs a power of two of ranks"; empty if it can. */
    default Optional<String> unsupportedReason(CollectiveCall call) {
        return Optional.empty();
    }

    /** Compute what a rank needs. */
    Resources resources(CollectiveCall call, int rank);

    /** Compute what the call costs by the algorithm's formula; empty if there is no formula. */
    default Optional<Cost> cost(CollectiveCall call) {
        return Optional.empty();
    }

    /** How ranks may be exchanged for each other without a change of the tasks. */
    default Symmetry symmetry(CollectiveCall call) {
        return Symmetry.NONE;
    }

    /** Queue the tasks of {@link Orchestration#rank()}. */
    void orchestrate(Orchestration rank);
}
