package org.rankunit.engine.prepare.model;

/** The goldens of a test are not there. The message says where, what and what to do. */
public final class GoldenException extends Exception {

    private static final long serialVersionUID = 1L;

    public GoldenException(String message) {
        super(message);
    }

    public GoldenException(String message, Throwable cause) {
        super(message, cause);
    }
}
