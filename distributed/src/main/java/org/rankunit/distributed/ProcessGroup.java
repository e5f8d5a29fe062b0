package org.rankunit.distributed;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.time.Duration;
import java.util.List;
import org.apiguardian.api.API;
import org.rankunit.DType;
import org.rankunit.collective.call.Reduction;

/**
 * The members of a distributed program, and the collectives among them, named as in {@code torch.distributed}. Get one from
 * {@link Distributed}.
 *
 * <p>Members are processing elements with the backend {@code ahbm}, and devices otherwise. One process may have several members: with
 * {@code ahbm} those of one SIP, or of the whole machine. A tensor has a part for each member, and {@link #getRank} is the rank
 * of the first member in this process.
 *
 * <p>All processes make the same calls in the same order. Calls are done in this order, one after the other; those with {@code Async}
 * return at once. A failed call throws, or its {@link Work} does, and later calls may do so too.
 *
 * <p>Messages ({@link #isend}, {@link #irecv}, {@link #batchIsendIrecv}) are not in this order: only their sender and their receiver call
 * something, and messages wait neither for other calls nor for messages between other members. They need processes that are members.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public interface ProcessGroup extends AutoCloseable {

    /**
     * The rank of this process in this group, at least 0 and less than {@link #worldSize}: that of its member, and of the first one of its
     * {@linkplain #localRanks members} if it has several. -1 if none of its members is in this group.
     */
    int getRank();

    /** The ranks of the members in this process, in ascending order; empty if none is in this group. */
    List<Integer> localRanks();

    /** How many members there are. */
    int worldSize();

    /** The name of the backend, as in {@code "ahbm"}. */
    String getBackend();

    /**
     * Make a tensor of zeros.
     *
     * @param partCount elements of each member
     */
    GroupTensor zeros(DType type, int partCount);

    /** Reduce the parts of all members; every part becomes the result. */
    default void allReduce(GroupTensor tensor, ReduceOp op) {
        allReduceAsync(tensor, op).await();
    }

    /** Reduce the parts of all members; every part becomes the result. */
    default void allReduce(GroupTensor tensor, Reduction reduction) {
        allReduce(tensor, ReduceOp.of(reduction));
    }

    /** Sum up the parts of all members; every part becomes the result. */
    default void allReduce(GroupTensor tensor) {
        allReduce(tensor, Reduction.SUM);
    }

    /**
     * Reduce without waiting.
     *
     * @throws IllegalArgumentException for {@link ReduceOp#AVG} of integers
     * @throws UnsupportedOperationException for {@link ReduceOp#AVG} if the backend has no averages: {@code ahbm}
     */
    Work allReduceAsync(GroupTensor tensor, ReduceOp op);

    default Work allReduceAsync(GroupTensor tensor, Reduction reduction) {
        return allReduceAsync(tensor, ReduceOp.of(reduction));
    }

    /** Every part of the output becomes all parts of the input, one after the other. */
    default void allGather(GroupTensor output, GroupTensor input) {
        allGatherAsync(output, input).await();
    }

    /**
     * Gather without waiting.
     *
     * @throws IllegalArgumentException if a part of the output is not as large as all parts of the input
     */
    Work allGatherAsync(GroupTensor output, GroupTensor input);

    /** Reduce the parts of all members; member r gets part r of the result. */
    default void reduceScatter(GroupTensor output, GroupTensor input, ReduceOp op) {
        reduceScatterAsync(output, input, op).await();
    }

    /** Reduce the parts of all members; member r gets part r of the result. */
    default void reduceScatter(GroupTensor output, GroupTensor input, Reduction reduction) {
        reduceScatter(output, input, ReduceOp.of(reduction));
    }

    /**
     * Reduce and scatter without waiting.
     *
     * @throws IllegalArgumentException if a part of the input is not as large as all parts of the output, or for {@link ReduceOp#AVG}
     *     of integers
     * @throws UnsupportedOperationException for {@link ReduceOp#AVG} if the backend has no averages: {@code ahbm}
     */
    Work reduceScatterAsync(GroupTensor output, GroupTensor input, ReduceOp op);

    default Work reduceScatterAsync(GroupTensor output, GroupTensor input, Reduction reduction) {
        return reduceScatterAsync(output, input, ReduceOp.of(reduction));
    }

    /** Every part becomes that of the root. */
    default void broadcast(GroupTensor tensor, int root) {
        broadcastAsync(tensor, root).await();
    }

    Work broadcastAsync(GroupTensor tensor, int root);

    /** Reduce the parts of all members; the root's part becomes the result, the others stay as they are. */
    default void reduce(GroupTensor tensor, int root, ReduceOp op) {
        reduceAsync(tensor, root, op).await();
    }

    /** Reduce the parts of all members; the root's part becomes the result, the others stay as they are. */
    default void reduce(GroupTensor tensor, int root, Reduction reduction) {
        reduce(tensor, root, ReduceOp.of(reduction));
    }

    /**
     * Reduce without waiting.
     *
     * @throws IllegalArgumentException for {@link ReduceOp#AVG} of integers
     * @throws UnsupportedOperationException if the backend has no such collective: {@code ahbm}
     */
    Work reduceAsync(GroupTensor tensor, int root, ReduceOp op);

    default Work reduceAsync(GroupTensor tensor, int root, Reduction reduction) {
        return reduceAsync(tensor, root, ReduceOp.of(reduction));
    }

    /** The root's part of the output becomes all parts of the input, one after the other; the others stay as they are. */
    default void gather(GroupTensor output, GroupTensor input, int root) {
        gatherAsync(output, input, root).await();
    }

    /**
     * Gather without waiting.
     *
     * @throws IllegalArgumentException if a part of the output is not as large as all parts of the input
     * @throws UnsupportedOperationException if the backend has no such collective: {@code ahbm}
     */
    Work gatherAsync(GroupTensor output, GroupTensor input, int root);

    /** Member r's part of the output becomes part r of the root's part of the input. */
    default void scatter(GroupTensor output, GroupTensor input, int root) {
        scatterAsync(output, input, root).await();
    }

    /**
     * Scatter without waiting.
     *
     * @throws IllegalArgumentException if a part of the input is not as large as all parts of the output
     * @throws UnsupportedOperationException if the backend has no such collective: {@code ahbm}
     */
    Work scatterAsync(GroupTensor output, GroupTensor input, int root);

    /** Member r's part of the output becomes the r-th pieces of all members' parts of the input, one after the other. */
    default void allToAll(GroupTensor output, GroupTensor input) {
        allToAllAsync(output, input).await();
    }

    /**
     * Exchange pieces without waiting.
     *
     * @throws IllegalArgumentException if parts of the two tensors differ in size, or are not as many equal pieces as there are members
     * @throws UnsupportedOperationException if the backend has no such collective: {@code ahbm}
     */
    Work allToAllAsync(GroupTensor output, GroupTensor input);

    /** The part of {@code to} becomes that of {@code from}: all processes call this, as if both were one call of send and receive. */
    default void sendReceive(GroupTensor tensor, int from, int to) {
        sendReceiveAsync(tensor, from, to).await();
    }

    Work sendReceiveAsync(GroupTensor tensor, int from, int to);

    /**
     * Send this member's part to another member, which calls {@link #irecv}. Returns at once, and does not wait for the peer; messages
     * from one member to another are received in the order in which they were sent. There are no tags.
     *
     * <p>The work is done when the peer has received the message; until then, the part must not change. It fails if the peer receives
     * another number of elements or another type ({@link org.rankunit.comm.CommError#MISMATCH}, on both members, with what each of them
     * has), if the peer has closed the group without receiving it, if a rank fails, or after the time-out of the device's waits. A
     * failure that was never waited for is thrown by {@link #close}.
     *
     * @param tensor of this group; only its number of elements and its type need to be those of the peer's tensor
     * @param peer the number of the member in this group
     * @throws IllegalArgumentException if the peer is no member, or this member itself
     * @throws IllegalStateException if this process is no member
     * @throws UnsupportedOperationException if the backend has no messages: {@code ahbm} and {@code hccl}
     */
    Work isend(GroupTensor tensor, int peer);

    /**
     * Receive what another member sends with {@link #isend} into this member's part. Returns at once. The work is done when the message
     * is there; until then, the part must not be used. Members and failures are as with {@link #isend}.
     *
     * @param tensor of this group
     * @param peer the number of the member in this group; there are no receives from any member
     */
    Work irecv(GroupTensor tensor, int peer);

    /** Send this member's part to another member, and wait until it has been received; see {@link #isend}. */
    default void send(GroupTensor tensor, int peer) {
        isend(tensor, peer).await();
    }

    /** Receive another member's message into this member's part; see {@link #irecv}. */
    default void recv(GroupTensor tensor, int peer) {
        irecv(tensor, peer).await();
    }

    /**
     * Start sends and receives together. Each makes progress by itself, so that their order matters only among messages between the same
     * two members in the same direction. Nothing is started if one of them is refused.
     *
     * @return the work of each operation, in their order
     * @throws IllegalArgumentException if there is no operation, or as with {@link #isend}
     */
    List<Work> batchIsendIrecv(List<P2POp> operations);

    /** Wait until all members have come here. */
    void barrier();

    /**
     * Wait until all members have come here, and fail with the first member that has not.
     *
     * @see #monitoredBarrier(Duration, boolean)
     */
    default void monitoredBarrier(Duration timeout) {
        monitoredBarrier(timeout, false);
    }

    /**
     * Wait until all members have come here, and say who has not. Member 0 waits for all others, and tells those that have come. Members
     * only call this; it waits neither for messages nor for calls that are going on.
     *
     * <p>If members are missing, the call fails with {@link org.rankunit.comm.CommError#TIMEOUT} on all members that have come, and on the
     * others when they come, with the same names. The group can be used after that. If member 0 is missing, the others only know that,
     * after their own time-outs. If a member's process has ended, or a rank has failed, the call fails at once, and names it.
     *
     * @param timeout how long member 0 waits for the others, and they for member 0; the same on all members
     * @param waitAllRanks whether the failure names all missing members, or the first
     * @throws org.rankunit.comm.CommException if members are missing
     * @throws IllegalStateException if this process is no member
     * @throws UnsupportedOperationException if the backend has no such barrier: {@code ahbm} and {@code hccl}
     */
    void monitoredBarrier(Duration timeout, boolean waitAllRanks);

    /**
     * Make a group of some of the members. All processes call this, with the same members, and wait for each other.
     *
     * @param members in the order of their numbers in the new group
     */
    ProcessGroup newGroup(List<Integer> members);

    /**
     * Release what the group has. All processes call this. Messages whose other end was called for are passed first.
     *
     * @throws org.rankunit.comm.CommException if this member has sent or awaited a message for which no other member called anything
     */
    @Override
    void close();
}
