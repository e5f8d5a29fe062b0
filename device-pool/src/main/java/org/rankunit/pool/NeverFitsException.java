package org.rankunit.pool;

import org.apiguardian.api.API;
import org.rankunit.pool.lock.PoolException;

/**
 * Report a request for more devices than the platform has, which no waiting could grant.
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
