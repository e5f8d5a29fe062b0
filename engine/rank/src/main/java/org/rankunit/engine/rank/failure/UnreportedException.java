package org.rankunit.engine.rank.failure;

/** Says why the rank could not report how a test ended. This becomes the failure of that test. */
public final class UnreportedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public UnreportedException(String ended, Throwable cause) {
        super("this rank could not report how the test ended (it " + ended + "): " + Failures.headline(cause), cause);
    }
}
