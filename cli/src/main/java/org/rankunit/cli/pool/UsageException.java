package org.rankunit.cli.pool;

/** Thrown when the arguments of a command are invalid. The message is for people. */
public final class UsageException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public UsageException(String message) {
        super(message);
    }
}
