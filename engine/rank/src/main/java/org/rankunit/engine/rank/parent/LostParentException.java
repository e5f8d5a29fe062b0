package org.rankunit.engine.rank.parent;

/** Thrown when the control channel to the parent has broken or ended. This process can no longer do anything useful. */
public final class LostParentException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    LostParentException(String message, Throwable cause) {
        super(message + ": " + cause.getMessage(), cause);
    }

    LostParentException(String message) {
        super(message);
    }
}
