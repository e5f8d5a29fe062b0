package org.rankunit.distributed.pe.run;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;
import static org.apiguardian.api.API.Status.INTERNAL;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by a launch whose kernels fail, wait forever, do not end in time, or leave messages behind. The message names the processing
 * elements.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class KernelException extends RuntimeException {

    private static final long serialVersionUID = 1;

    KernelException(@Nullable String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** Get the same failure with the stack of the caller, to whom the one of the thread that waited says nothing. */
    @API(status = INTERNAL, since = "0.1")
    public KernelException toldHere() {
        return new KernelException(getMessage(), getCause());
    }
}
