package org.rankunit.distributed;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;

/**
 * One operation of {@link ProcessGroup#batchIsendIrecv}.
 *
 * @param peer the number of another member
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public record P2POp(Kind kind, GroupTensor tensor, int peer) {

    /**
     * Whether it sends or receives.
     *
     * @since 0.1
     */
    @API(status = EXPERIMENTAL, since = "0.1")
    public enum Kind {
        ISEND,
        IRECV
    }

    /** As {@link ProcessGroup#isend}. */
    public static P2POp isend(GroupTensor tensor, int peer) {
        return new P2POp(Kind.ISEND, tensor, peer);
    }

    /** As {@link ProcessGroup#irecv}. */
    public static P2POp irecv(GroupTensor tensor, int peer) {
        return new P2POp(Kind.IRECV, tensor, peer);
    }
}
