package org.rankunit.collective.operators;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Optional;
import java.util.function.Function;
import org.apiguardian.api.API;
import org.rankunit.DType;
import org.rankunit.collective.call.CclBuffers;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.MemoryMode;
import org.rankunit.collective.call.Reduction;
import org.rankunit.collective.run.Collectives;
import org.rankunit.collective.select.Selection;
import org.rankunit.comm.Communicator;
import org.rankunit.device.Stream;

/**
 * Collectives with the signatures of HCCL's operators, in single-operator mode, by algorithms that are selected at each call.
 *
 * <pre>{@code
 * Rules rules = new Rules(Interconnect.MESH, HcclAlgo.none());
 * try (Operators operators = new Operators(comm, rules::select)) {
 *     operators.allGather(sendBuf, recvBuf, sendCount, DType.FLOAT32, stream);
 * }
 * }</pre>
 *
 * <p>Each operator goes four steps: it describes the call; it selects an algorithm, which has a name and a tag; it finds the resources
 * that are kept under the tag, or creates them; it runs the tasks that the algorithm has queued. The CCL buffers are those of the
 * communicator, {@link CclBuffers#bytes()} each, and shared by all operators.
 *
 * <p>Buffers are addresses in the memory of this rank's device or in its window, and counts are numbers of elements. An operator begins
 * when the work that was put on the stream before has ended, and returns when this rank's output is complete. All ranks call the same
 * operators in the same order; otherwise they fail as {@link org.rankunit.collective.run.CollectivePlan#of} says. Threads: one at a time.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class Operators implements AutoCloseable {

    private final int ranks;
    private final Collectives collectives;
    private final Function<CollectiveCall, Optional<Selection>> selection;

    /**
     * @param communicator closed by its owner, after this
     * @param selection is asked at each call, on every rank alike
     */
    public Operators(Communicator communicator, Function<CollectiveCall, Optional<Selection>> selection) {
        this.ranks = communicator.worldSize();
        this.collectives = new Collectives(communicator);
        this.selection = selection;
    }

    /** Reduce {@code count} elements of all ranks; each receives the result. */
    public void allReduce(long sendBuf, long recvBuf, long count, DType type, Reduction reduction, Stream stream) {
        run(call(Collective.ALL_REDUCE, type, count).withReduction(reduction), sendBuf, recvBuf, stream);
    }

    /** Give the {@code sendCount} elements of each rank to all, in the order of the ranks. */
    public void allGather(long sendBuf, long recvBuf, long sendCount, DType type, Stream stream) {
        run(call(Collective.ALL_GATHER, type, sendCount), sendBuf, recvBuf, stream);
    }

    /** Reduce {@code recvCount} elements for each rank; each receives its part of the result. */
    public void reduceScatter(
            long sendBuf, long recvBuf, long recvCount, DType type, Reduction reduction, Stream stream) {
        run(call(Collective.REDUCE_SCATTER, type, recvCount).withReduction(reduction), sendBuf, recvBuf, stream);
    }

    /** Give the {@code count} elements of the root to all; the buffer is the one to send from and to receive to. */
    public void broadcast(long buf, long count, DType type, int root, Stream stream) {
        run(call(Collective.BROADCAST, type, count).withRoot(root).withInPlace(true), buf, buf, stream);
    }

    /** Reduce {@code count} elements of all ranks; the root receives the result. */
    public void reduce(
            long sendBuf, long recvBuf, long count, DType type, Reduction reduction, int root, Stream stream) {
        run(call(Collective.REDUCE, type, count).withReduction(reduction).withRoot(root), sendBuf, recvBuf, stream);
    }

    /** Give {@code recvCount} elements of the root to each rank. */
    public void scatter(long sendBuf, long recvBuf, long recvCount, DType type, int root, Stream stream) {
        run(call(Collective.SCATTER, type, recvCount).withRoot(root), sendBuf, recvBuf, stream);
    }

    /** Give {@code count} elements of each rank to each rank. */
    public void allToAll(long sendBuf, long recvBuf, long count, DType type, Stream stream) {
        run(call(Collective.ALL_TO_ALL, type, count), sendBuf, recvBuf, stream);
    }

    private CollectiveCall call(Collective collective, DType type, long count) {
        return CollectiveCall.of(collective, ranks, type, count)
                .withMemory(MemoryMode.SINGLE_OPERATOR, CclBuffers.bytes());
    }

    private void run(CollectiveCall call, long sendBuf, long recvBuf, Stream stream) {
        Selection chosen = selection
                .apply(call)
                .orElseThrow(() -> new IllegalArgumentException("no algorithm applies to " + call));
        stream.synchronize();
        collectives.run(chosen.tag(), chosen.algorithm(), call, sendBuf, recvBuf);
    }

    /** Free the resources of all tags. */
    @Override
    public void close() {
        collectives.close();
    }
}
