package org.rankunit.engine.rank.parent;

import java.util.Optional;
import org.rankunit.comm.Communicator;

/**
 * The communicator of this rank as the engine sees it. It tells whether the communicator can serve another test, whatever a test
 * has done to it.
 */
public final class CommunicatorState {

    private final Communicator communicator;

    public CommunicatorState(Communicator communicator) {
        this.communicator = communicator;
    }

    /** The communicator itself, which a test may have aborted or closed. */
    public Communicator communicator() {
        return communicator;
    }

    /** Abort it, unless a test has closed it: then no thread is in it any more. */
    public void abort(int failedRank, String reason) {
        if (communicator.isClosed()) {
            return;
        }
        try {
            communicator.abort(failedRank, reason);
        } catch (IllegalStateException e) {
            if (!communicator.isClosed()) {
                throw e;
            }
        }
    }

    /** Whether a test has closed it. */
    public boolean isClosed() {
        return communicator.isClosed();
    }

    /** Why this rank has aborted it; empty if it has not. Each rank checks only itself. */
    public Optional<String> abortedHere() {
        return communicator.isClosed() ? Optional.empty() : communicator.abortedHere();
    }

    /** The rank because of which it was aborted, or -1. */
    public int abortedBy() {
        return communicator.isClosed() ? -1 : communicator.abortedBy().orElse(-1);
    }
}
