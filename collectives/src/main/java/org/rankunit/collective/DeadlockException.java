package org.rankunit.collective;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;

/**
 * Thrown when streams of a simulated schedule wait forever; the message names the algorithm, the call and some of the streams.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class DeadlockException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public DeadlockException(String message) {
        super(message);
    }
}
