package org.rankunit.cli.bench;

/** Thrown when a rank has failed. The message, which names it, is for people. */
public final class RankFailure extends Exception {

    private static final long serialVersionUID = 1L;

    RankFailure(String message) {
        super(message);
    }
}
