package org.rankunit.engine.site;

import org.jspecify.annotations.Nullable;

/** The devices of a group could not be leased; the message says who holds them, or what is wrong with the pool. */
public final class ReservationException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public ReservationException(@Nullable String message, @Nullable Throwable cause) {
        super(message == null ? "the device pool failed: " + cause : message, cause);
    }
}
