package org.rankunit.engine.merge.outcome;

/** A test failed on a rank, not by an assertion: another throwable was thrown there, or the rank ended without one, as in a crash. */
final class RankFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String type;

    /** A failure without a throwable. */
    RankFailedException(String message) {
        this(message, RankFailedException.class.getName());
    }

    /** A failure caused by a throwable of this class, which may not exist here. */
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
