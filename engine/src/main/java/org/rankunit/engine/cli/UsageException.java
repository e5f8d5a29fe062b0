package org.rankunit.engine.cli;

/** Says that a command cannot be meant as it was given; the message is for people. */
final class UsageException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UsageException(String message) {
        super(message);
    }
}
