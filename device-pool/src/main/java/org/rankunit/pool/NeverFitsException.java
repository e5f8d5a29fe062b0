package org.rankunit.pool;

import org.apiguardian.api.API;
import org.rankunit.pool.lock.PoolException;

/**
 * Report a request that can never be granted, such as one for more devices than the platform has.
 *
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class NeverFitsException extends PoolException {

    private static final long serialVersionUID = 1L;

    NeverFitsException(String why) {
        super(why);
    }
}
