package org.rankunit.engine.prepare;

/** The goldens of a test are not there. The message says where, what and what to do. */
final class GoldenException extends Exception {

    private static final long serialVersionUID = 1L;

    GoldenException(String message) {
        super(message);
    }

    GoldenException(String message, Throwable cause) {
        super(message, cause);
    }
}
