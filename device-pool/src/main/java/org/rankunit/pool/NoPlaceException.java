package org.rankunit.pool;

import java.io.IOException;

/** A request could not be put into the queue, for example because the disk is full. */
final class NoPlaceException extends PoolException {

    private static final long serialVersionUID = 1L;

    NoPlaceException(String message, IOException cause) {
        super(message, cause);
    }
}
