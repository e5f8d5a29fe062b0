package org.rankunit.coll.algorithms.staged;

import org.rankunit.coll.Link;
import org.rankunit.coll.LocalNotify;
import org.rankunit.coll.Orchestration;
import org.rankunit.coll.OrchestrationException;
import org.rankunit.coll.Region;
import org.rankunit.coll.TaskStream;
import org.rankunit.coll.call.BufferKind;
import org.rankunit.coll.call.CollectiveCall;

/** Shows an algorithm the buffers of the domain as its input and output. */
final class ChunkOrchestration implements Orchestration {

    private final Orchestration whole;
    private final CollectiveCall chunk;
    private final long offset;

    ChunkOrchestration(Orchestration whole, Chunks chunks, long number) {
        this.whole = whole;
        this.chunk = chunks.call(number);
        this.offset = chunks.offset(number);
    }

    @Override
    public CollectiveCall call() {
        return chunk;
    }

    @Override
    public int rank() {
        return whole.rank();
    }

    @Override
    public TaskStream main() {
        return whole.main();
    }

    @Override
    public TaskStream sub(int number) {
        return whole.sub(number);
    }

    @Override
    public LocalNotify notify(int number) {
        return whole.notify(number);
    }

    @Override
    public Link link(int peer, int number) {
        return whole.link(peer, number);
    }

    @Override
    public Region buffer(BufferKind kind, int rank) {
        return switch (kind) {
            case INPUT -> whole.buffer(BufferKind.CCL_IN, rank).part(offset, chunk.inputBytes(rank));
            case OUTPUT -> whole.buffer(BufferKind.CCL_OUT, rank).part(offset, chunk.outputBytes(rank));
            default -> throw new OrchestrationException(kind + " is not available in single-operator mode");
        };
    }
}
