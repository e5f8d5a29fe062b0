package org.rankunit.engine.launch;

/** A group could not be brought up; the message names the first rank that failed, or those that are missing. */
public final class BringUpException extends Exception {

    private static final long serialVersionUID = 1L;

    BringUpException(String message) {
        super(message);
    }

    BringUpException(String message, Throwable cause) {
        super(message, cause);
    }
}
