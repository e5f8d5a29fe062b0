package org.rankunit.engine.rank;

import org.rankunit.comm.CommException;
import org.rankunit.comm.Communicator;

/** The communicator of this rank as the engine sees it: whether it can serve another test, whatever a test has done to it. */
final class CommunicatorState {

    private final Communicator communicator;

    CommunicatorState(Communicator communicator) {
        this.communicator = communicator;
    }

    Communicator communicator() {
        return communicator;
    }

    /** Abort it, unless a test has closed it: then nobody is in it any more. */
    void abort(int failedRank, String reason) {
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
    boolean isClosed() {
        return communicator.isClosed();
    }

    /** Whether it is aborted and this rank is to blame; every rank looks after itself. */
    boolean isAbortedHere() {
        return !communicator.isClosed() && communicator.abortedBy().orElse(-1) == communicator.rank();
    }

    /** Say why it is aborted. */
    String reason() {
        try {
            communicator.requireSound();
            return "";
        } catch (CommException | IllegalStateException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
