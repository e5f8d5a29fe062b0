package org.rankunit.comm;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.OptionalInt;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a call on a communicator fails; the message says on which rank, and why.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public class CommException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final CommError error;

    private final int vendorError;

    public CommException(CommError error, String message) {
        this(error, message, null);
    }

    public CommException(CommError error, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.error = error;
        this.vendorError = 0;
    }

    /** Create one for a call that returned a status of {@code comm.h}. */
    CommException(int status, String message) {
        super(message);
        this.error = CommError.of(status);
        this.vendorError = status >= CommError.FIRST_OF_VENDOR ? status : 0;
    }

    public final CommError error() {
        return error;
    }

    /** The code of the vendor's runtime, such as 507015; empty if the error came from elsewhere. */
    public final OptionalInt vendorError() {
        return vendorError == 0 ? OptionalInt.empty() : OptionalInt.of(vendorError);
    }
}
