package org.rankunit.pool;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Report that the pool cannot do what it was asked; the message says what happened, where, and what to do.
 *
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public class PoolException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    PoolException(String message) {
        super(message);
    }

    PoolException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
