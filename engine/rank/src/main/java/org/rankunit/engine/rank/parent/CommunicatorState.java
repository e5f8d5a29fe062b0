package org.rankunit.engine.rank.parent;

import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.rankunit.comm.Communicator;
import org.rankunit.comm.recorder.RecordedOperation;
import org.rankunit.device.Device;

/**
 * The communicator of this rank as the engine sees it, if there is one. It tells whether the communicator can serve another test,
 * whatever a test has done to it.
 */
public final class CommunicatorState {

    private final @Nullable Communicator communicator;
    private final Device device;

    /** The rank because of which this one was released without a communicator; -1 for none. */
    private volatile int releasedBy = -1;

    /** @param communicator {@code null} if the tests of this rank do without one */
    public CommunicatorState(@Nullable Communicator communicator, Device device) {
        this.communicator = communicator;
        this.device = device;
    }

    /** Its last operations, oldest first, even after it was closed; empty without a communicator. */
    public List<RecordedOperation> operations() {
        return communicator == null ? List.of() : communicator.recorder().operations();
    }

    /** Abort it, unless a test has closed it: then no thread is in it any more. */
    public void abort(int failedRank, String reason) {
        if (communicator == null || communicator.isClosed()) {
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

    /** Let this rank go on because another one failed. Without a communicator, only its device can hold it. */
    public void release(int failedRank, String reason) {
        if (communicator == null) {
            releasedBy = failedRank;
            device.abort("because of rank " + failedRank + ": " + reason);
        } else {
            abort(failedRank, reason);
        }
    }

    /** Let this function form the reasons of all aborts from here on, on the threads that abort. */
    public void signAborts(UnaryOperator<String> signed) {
        if (communicator != null) {
            communicator.signAborts(signed);
        }
    }

    /** Whether a test has closed it. */
    public boolean isClosed() {
        return communicator != null && communicator.isClosed();
    }

    /** Why this rank has aborted it; empty if it has not. Each rank checks only itself. */
    public Optional<String> abortedHere() {
        return communicator == null || communicator.isClosed() ? Optional.empty() : communicator.abortedHere();
    }

    /** The rank because of which it was aborted, or -1. */
    public int abortedBy() {
        return communicator == null || communicator.isClosed()
                ? releasedBy
                : communicator.abortedBy().orElse(-1);
    }
}
