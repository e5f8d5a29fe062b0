package org.rankunit.distributed;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.List;
import org.apiguardian.api.API;
import org.rankunit.DType;
import org.rankunit.coll.call.Reduction;

/**
 * The members of a distributed program, and the collectives among them, named as in {@code torch.distributed}. Get one from
 * {@link Distributed}.
 *
 * <p>Members are processing elements with the backend {@code ahbm}, and devices otherwise. One process may have several members: with
 * {@code ahbm} those of one SIP, or of the whole machine. So {@link #getRank} is the number of the process, and {@link #getWorldSize}
 * that of the members, and a tensor has a part for each member.
 *
 * <p>All processes make the same calls in the same order. Calls are done in this order, one after the other; those with {@code Async}
 * return at once. A failed call throws, or its {@link Work} does, and later calls may do so too.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public interface ProcessGroup extends AutoCloseable {

    /** The number of this process; 0 if there is one process. */
    int getRank();

    /** How many members there are. */
    int getWorldSize();

    /** The name of the backend, as in {@code "ahbm"}. */
    String getBackend();

    /**
     * Make a tensor of zeros.
     *
     * @param partCount elements of each member
     */
    GroupTensor zeros(DType type, int partCount);

    /** Reduce the parts of all members; every part becomes the result. */
    default void allReduce(GroupTensor tensor, Reduction reduction) {
        allReduceAsync(tensor, reduction).await();
    }

    /** Sum up the parts of all members; every part becomes the result. */
    default void allReduce(GroupTensor tensor) {
        allReduce(tensor, Reduction.SUM);
    }

    Work allReduceAsync(GroupTensor tensor, Reduction reduction);

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
    default void reduceScatter(GroupTensor output, GroupTensor input, Reduction reduction) {
        reduceScatterAsync(output, input, reduction).await();
    }

    /**
     * Reduce and scatter without waiting.
     *
     * @throws IllegalArgumentException if a part of the input is not as large as all parts of the output
     */
    Work reduceScatterAsync(GroupTensor output, GroupTensor input, Reduction reduction);

    /** Every part becomes that of the root. */
    default void broadcast(GroupTensor tensor, int root) {
        broadcastAsync(tensor, root).await();
    }

    Work broadcastAsync(GroupTensor tensor, int root);

    /** Reduce the parts of all members; the root's part becomes the result, the others stay as they are. */
    default void reduce(GroupTensor tensor, int root, Reduction reduction) {
        reduceAsync(tensor, root, reduction).await();
    }

    /**
     * Reduce without waiting.
     *
     * @throws UnsupportedOperationException if the backend has no such collective: {@code ahbm}
     */
    Work reduceAsync(GroupTensor tensor, int root, Reduction reduction);

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

    /** Wait until all members have come here. */
    void barrier();

    /**
     * Make a group of some of the members. All processes call this, with the same members.
     *
     * @param members in the order of their numbers in the new group
     */
    ProcessGroup newGroup(List<Integer> members);

    @Override
    void close();
}
