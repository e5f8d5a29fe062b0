package org.rankunit.collective.schedule;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;
import static org.apiguardian.api.API.Status.INTERNAL;

import org.apiguardian.api.API;

/**
 * Thrown when an algorithm queues more tasks than can be held in memory, told apart or were asked for, before memory runs out.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class TooManyTasksException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    @API(status = INTERNAL, since = "0.1")
    public TooManyTasksException(String message) {
        super(message);
    }
}
