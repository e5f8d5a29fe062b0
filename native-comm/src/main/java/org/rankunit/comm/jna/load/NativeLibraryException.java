package org.rankunit.comm.jna.load;

import static org.apiguardian.api.API.Status.INTERNAL;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Reports that there is no native library for a platform on this machine, or that it cannot be loaded.
 *
 * @since 0.1
 */
@API(status = INTERNAL, since = "0.1")
public final class NativeLibraryException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public NativeLibraryException(String message) {
        this(message, null);
    }

    public NativeLibraryException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
