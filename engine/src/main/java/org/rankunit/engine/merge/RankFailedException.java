package org.rankunit.engine.merge;

/** A test failed on a rank by anything but an assertion; or without any throwable there, as by a crash, which is then its cause. */
final class RankFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String type;

    /** Failed without a throwable. */
    RankFailedException(String message) {
        this(message, RankFailedException.class.getName());
    }

    /** Failed by a throwable of this class, which may not exist here. */
    RankFailedException(String message, String type) {
        super(message);
        this.type = type;
    }

    @Override
    @SuppressWarnings("OverrideThrowableToString") // Prints as the rank's own throwable would, without this class.
    public String toString() {
        return type + ": " + getMessage();
    }
}
