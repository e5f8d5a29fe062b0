package org.rankunit.pool;

import org.apiguardian.api.API;
import org.rankunit.pool.lock.PoolException;

/**
 * Report that the devices did not become available within the caller's timeout; the message names their holders.
 *
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class LeaseTimeoutException extends PoolException {

    private static final long serialVersionUID = 1L;

    LeaseTimeoutException(String message) {
        super(message);
    }
}
