package org.rankunit.comm;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Says that a call on a communicator has failed, on which rank, and why.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public class CommException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final CommError error;

    public CommException(CommError error, String message) {
        this(error, message, null);
    }

    public CommException(CommError error, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.error = error;
    }

    public final CommError error() {
        return error;
    }
}
