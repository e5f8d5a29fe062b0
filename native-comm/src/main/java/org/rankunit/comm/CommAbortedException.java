package org.rankunit.comm;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;

/**
 * Thrown when this rank was released because another one failed: a consequence of that failure, never its cause.
 * The {@link #error()} is {@link CommError#ABORTED}, {@link CommError#PEER_DIED} or {@link CommError#PEER_LEFT}.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class CommAbortedException extends CommException {

    private static final long serialVersionUID = 1L;

    private final int failedRank;

    public CommAbortedException(CommError error, int failedRank, String message) {
        super(error, message);
        this.failedRank = failedRank;
    }

    /** The rank that failed first; the same on all ranks of the communicator. */
    public int failedRank() {
        return failedRank;
    }
}
