package org.rankunit.collective.algorithms.staged;

import org.rankunit.collective.Link;
import org.rankunit.collective.LocalNotify;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.OrchestrationException;
import org.rankunit.collective.Region;
import org.rankunit.collective.TaskStream;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.CollectiveCall;

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
