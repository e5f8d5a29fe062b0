package org.rankunit.distributed;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.time.Duration;
import java.util.OptionalDouble;
import org.apiguardian.api.API;

/**
 * A call of a {@link ProcessGroup} that may still be going on.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public interface Work {

    boolean isCompleted();

    /** Wait until the call has ended; throws what the call without {@code Async} would. */
    void await();

    /**
     * Wait until the call has ended, but no longer than this.
     *
     * @return whether it has ended
     */
    boolean await(Duration limit);

    /** Wait until the call has ended, and get the time that it took by the model, in nanoseconds; empty if there is no model. */
    OptionalDouble modelledNanoseconds();
}
