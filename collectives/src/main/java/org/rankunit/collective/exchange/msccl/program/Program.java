package org.rankunit.collective.exchange.msccl.program;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.List;
import org.apiguardian.api.API;
import org.rankunit.DType;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;

/**
 * What a file says, checked.
 *
 * @param source the name of the file
 * @param chunks of the larger one of input and output, on the rank that has most: {@code nchunksperloop}
 * @param inPlace whether it is for calls in place
 * @param outOfPlace whether it is for calls out of place
 * @param slots how many messages may be under way on a connection
 * @param blocks the threadblocks of each rank
 * @param dependencies between the threadblocks of each rank: there are so many notifies in steps
 * @param connections in the order of their numbers
 */
@API(status = INTERNAL, since = "0.1")
public record Program(
        String source,
        String name,
        Collective collective,
        int ranks,
        int chunks,
        int root,
        boolean inPlace,
        boolean outOfPlace,
        int slots,
        List<List<Block>> blocks,
        List<Integer> dependencies,
        List<Connection> connections) {

    public Program {
        blocks = List.copyOf(blocks);
        dependencies = List.copyOf(dependencies);
        connections = List.copyOf(connections);
    }

    /** How many chunks a call counts; where each rank has a part, {@code chunks} are those of all parts. */
    public static int chunksOfCount(Collective collective, int ranks, int chunks) {
        return collective.hasCounts() ? chunks / ranks : chunks;
    }

    /** The call in which each chunk is one byte. */
    public static CollectiveCall inChunks(Collective collective, int ranks, int chunks, int root) {
        return CollectiveCall.of(collective, ranks, DType.UINT8, chunksOfCount(collective, ranks, chunks))
                .withRoot(root);
    }

    public int chunksOfCount() {
        return chunksOfCount(collective, ranks, chunks);
    }

    /** Chunks of its own scratch memory that a rank uses. */
    public int scratchChunks(int rank) {
        int end = 0;
        for (Block block : blocks.get(rank)) {
            for (Step step : block.steps()) {
                if (step.type().reads() && step.source().buffer() == BufferKind.SCRATCH) {
                    end = Math.max(end, step.source().end());
                }
                if (step.type().writes() && step.target().buffer() == BufferKind.SCRATCH) {
                    end = Math.max(end, step.target().end());
                }
            }
        }
        return end;
    }
}
