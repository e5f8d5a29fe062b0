package org.rankunit.engine.rank;

/** Thrown when the control channel to the parent has broken or ended: this process is of no more use. */
final class LostParentException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    LostParentException(String message, Throwable cause) {
        super(message + ": " + cause.getMessage(), cause);
    }

    LostParentException(String message) {
        super(message);
    }
}
