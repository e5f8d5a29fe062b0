package org.rankunit.collective;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;

/**
 * Thrown when an algorithm queues a task that cannot be: outside of a buffer, on a stream that its resources lack, to a buffer
 * that others cannot reach.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class OrchestrationException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public OrchestrationException(String message) {
        super(message);
    }
}
