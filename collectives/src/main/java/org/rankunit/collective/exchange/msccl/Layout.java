package org.rankunit.collective.exchange.msccl;

import java.util.ArrayList;
import java.util.List;
import org.rankunit.collective.Region;
import org.rankunit.collective.Resources;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.MemoryMode;
import org.rankunit.collective.exchange.msccl.program.Chunks;
import org.rankunit.collective.exchange.msccl.program.Connection;
import org.rankunit.collective.exchange.msccl.program.Program;

/**
 * Where things are in the memory of ranks.
 *
 * <p>The scratch memory of a rank begins with the chunks of the program. Then come the slots into which others write messages; other ranks
 * reach scratch memory in windows only, so that in single-operator mode these slots are in CCL_In. At the end are the slots from which
 * messages leave for other servers: such a write has not read its source when it returns.
 */
final class Layout {

    private final Program program;
    private final CollectiveCall call;
    private final long chunk;
    /** In bytes. */
    private final long[] endOfScratch;

    private final long[] endOfInbox;
    /** Where the slots of each connection are, at its receiver and at its sender. */
    private final long[] inboxes;

    private final long[] outboxes;

    Layout(Program program, CollectiveCall call) {
        this.program = program;
        this.call = call;
        this.chunk = call.count() / program.chunksOfCount() * call.elementBytes();
        this.endOfScratch = new long[program.ranks()];
        for (int rank = 0; rank < program.ranks(); rank++) {
            endOfScratch[rank] = program.scratchChunks(rank) * chunk;
        }
        List<Connection> connections = program.connections();
        this.inboxes = new long[connections.size()];
        this.outboxes = new long[connections.size()];
        this.endOfInbox = call.memory() == MemoryMode.WINDOWS ? endOfScratch : new long[program.ranks()];
        for (Connection each : connections) {
            inboxes[each.number()] = endOfInbox[each.to()];
            endOfInbox[each.to()] += each.chunksBefore(each.slots()) * chunk;
        }
        for (Connection each : connections) {
            if (!call.sameServer(each.from(), each.to())) {
                outboxes[each.number()] = endOfScratch[each.from()];
                endOfScratch[each.from()] += each.chunksBefore(each.slots()) * chunk;
            }
        }
    }

    /** Bytes of a chunk. */
    long chunk() {
        return chunk;
    }

    /** Bytes of CCL_In that a rank needs in single-operator mode. */
    long inboxBytes(int rank) {
        return endOfInbox[rank];
    }

    Resources resources(int rank) {
        int subStreams = Math.max(0, program.blocks().get(rank).size() - 1);
        return new Resources(
                endOfScratch[rank],
                subStreams,
                2 * subStreams + program.dependencies().get(rank),
                links(rank));
    }

    /** Each slot has a link, since a notify of a link is one bit. */
    private List<Integer> links(int rank) {
        List<Integer> links = new ArrayList<>();
        for (Connection connection : program.connections()) {
            if (connection.from() == rank || connection.to() == rank) {
                int peer = connection.from() == rank ? connection.to() : connection.from();
                for (int slot = 0; slot < connection.slots(); slot++) {
                    links.add(peer);
                }
            }
        }
        return links;
    }

    Region region(int rank, Chunks chunks) {
        return new Region(rank, chunks.buffer(), chunks.from() * chunk, chunks.count() * chunk);
    }

    /** Where a message waits for its receiver. */
    Region inbox(Connection connection, int slot, long bytes) {
        BufferKind buffer = call.memory() == MemoryMode.WINDOWS ? BufferKind.SCRATCH : BufferKind.CCL_IN;
        long from = inboxes[connection.number()] + connection.chunksBefore(slot) * chunk;
        return new Region(connection.to(), buffer, from, bytes);
    }

    /** Where a message to another server waits until it has left. */
    Region outbox(Connection connection, int slot, long bytes) {
        long from = outboxes[connection.number()] + connection.chunksBefore(slot) * chunk;
        return new Region(connection.from(), BufferKind.SCRATCH, from, bytes);
    }
}
