package org.rankunit.pool.lock;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Report that a pool operation failed; the message says what happened, where, and what to do.
 *
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public class PoolException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    @API(status = API.Status.INTERNAL, since = "0.1")
    public PoolException(String message) {
        super(message);
    }

    @API(status = API.Status.INTERNAL, since = "0.1")
    public PoolException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
