package org.rankunit;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;

/**
 * Where a {@link Buffer} is.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public enum Placement {

    /**
     * In this rank's window of the communicator, at the same offset on every rank. The kernels of all ranks can read
     * it.
     */
    WINDOW,

    /** In this rank's own device memory. No other rank can access it. */
    DEVICE
}
