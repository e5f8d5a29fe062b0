package org.rankunit.collective;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;

/**
 * What a {@link Link} is made of.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public enum Medium {
    /** Inside a server: a transfer has ended when the next task of its stream begins. */
    SDMA,
    /**
     * Between servers: a write returns before its data has been read or has landed. What the same link carries later, also a
     * signal, arrives after it. The writer knows that it has landed by {@link Signal#DATA_ACK}.
     */
    RDMA;

    /** Whether each end of such a link has this signal. */
    public boolean has(Signal signal) {
        return this == RDMA || signal != Signal.DATA_ACK;
    }

    /** Notifies of a link, both ends together. */
    public int notifies() {
        return this == RDMA ? 6 : 4;
    }
}
