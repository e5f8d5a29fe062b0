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

    ChunkOrchestration(Orchestration whole, CollectiveCall chunk) {
        this.whole = whole;
        this.chunk = chunk;
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
            case INPUT -> whole.buffer(BufferKind.CCL_IN, rank).part(0, chunk.inputBytes(rank));
            case OUTPUT -> whole.buffer(BufferKind.CCL_OUT, rank).part(0, chunk.outputBytes(rank));
            default -> throw new OrchestrationException(kind + " is not there in single-operator mode");
        };
    }
}
