package org.rankunit.pool.queue;

import java.io.IOException;
import org.apiguardian.api.API;
import org.rankunit.pool.lock.PoolException;

/** Thrown when a request cannot be put into the queue, for example because the disk is full. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class NoPlaceException extends PoolException {

    private static final long serialVersionUID = 1L;

    NoPlaceException(String message, IOException cause) {
        super(message, cause);
    }
}
