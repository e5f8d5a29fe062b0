package org.rankunit.pool;

import org.apiguardian.api.API;
import org.rankunit.pool.lock.PoolException;

/**
 * Report that a request cannot be granted in time because too many devices are in quarantine.
 *
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class QuarantineException extends PoolException {

    private static final long serialVersionUID = 1L;

    QuarantineException(String message) {
        super(message);
    }
}
