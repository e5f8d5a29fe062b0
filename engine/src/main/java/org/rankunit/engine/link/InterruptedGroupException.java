package org.rankunit.engine.link;

/** Thrown when the thread that runs a group was interrupted; its interrupt flag is set again. */
public final class InterruptedGroupException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public InterruptedGroupException() {
        super("interrupted while waiting for the ranks");
        Thread.currentThread().interrupt();
    }
}
