package org.rankunit.distributed;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.rankunit.distributed.device.DeviceMembers;
import org.rankunit.distributed.p2p.PointToPoint;

/** The messages of a group of devices, or why this process has none. */
final class GroupMessages {

    private final DeviceMembers members;
    private final @Nullable PointToPoint messages;

    /** Why no process of the group has messages; empty if members have. */
    private final String unsupportedReason;

    private GroupMessages(DeviceMembers members, @Nullable PointToPoint messages, String unsupportedReason) {
        this.members = members;
        this.messages = messages;
        this.unsupportedReason = unsupportedReason;
    }

    /** All ranks of the test call this; see {@link PointToPoint#open}. */
    static GroupMessages of(String backend, DeviceMembers members, WindowExchange exchange) {
        if (backend.equals(Distributed.HCCL)) {
            return new GroupMessages(members, null, "use the backend " + Distributed.RANKUNIT);
        }
        try {
            return new GroupMessages(
                    members, PointToPoint.open(members, exchange::allGather).orElse(null), "");
        } catch (UnsupportedOperationException e) {
            return new GroupMessages(members, null, "" + e.getMessage());
        }
    }

    /**
     * Get the messages for a call.
     *
     * @param what the name of the call
     * @throws UnsupportedOperationException if the backend or its devices have no messages
     * @throws IllegalStateException if this process is no member
     */
    PointToPoint of(String what, String backend) {
        if (!unsupportedReason.isEmpty()) {
            throw new UnsupportedOperationException(
                    "the backend " + backend + " has no " + what + " here: " + unsupportedReason);
        }
        if (messages == null) {
            throw new IllegalStateException(what + " on rank " + members.rank().rank()
                    + " of the test, which is not one of the ranks " + members.ranks() + " of the group");
        }
        return messages;
    }

    /** Returns the peer; refuses what is no other member. */
    int requirePeer(int peer) {
        GroupChecks.requireMember("peer", peer, members.size());
        if (peer == members.own()) {
            throw new IllegalArgumentException("peer = " + peer + ": a member sends no messages to itself");
        }
        return peer;
    }

    /** @param communicating runs what waits in the communicator */
    void close(Consumer<Runnable> communicating) {
        if (messages != null) {
            messages.close(communicating);
        }
    }
}
