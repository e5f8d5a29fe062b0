package org.rankunit.collective.exchange.msccl.export;

import java.util.List;
import org.rankunit.collective.Region;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.exchange.msccl.program.Chunks;
import org.rankunit.collective.schedule.Task;

/** Divides buffers into chunks, as large as all tasks allow. Buffers other than input and output follow each other in the scratch memory. */
final class Grid {

    private static final int MAX_CHUNKS = 1 << 20;
    private static final BufferKind[] KINDS = BufferKind.values();

    private final CollectiveCall call;
    private final long chunk;
    /** How far each buffer of each rank is used, in chunks. */
    private final int[][] used;

    Grid(CollectiveCall call, List<Task> moves) {
        this.call = call;
        long bytes = call.count() * call.elementBytes();
        for (Task move : moves) {
            for (Region region : regions(move)) {
                bytes = gcd(gcd(bytes, region.from()), region.bytes());
            }
        }
        if (bytes % call.elementBytes() != 0) {
            throw new IllegalArgumentException("its tasks divide elements of " + call.elementBytes() + " bytes");
        }
        this.chunk = bytes;
        if (chunks() > MAX_CHUNKS) {
            throw new IllegalArgumentException("it divides the data into " + chunks() + " chunks, more than "
                    + MAX_CHUNKS + "; choose a count that all parts divide, such as " + call.ranks()
                    + " times a power of two");
        }
        this.used = new int[call.ranks()][KINDS.length];
        for (Task move : moves) {
            for (Region region : regions(move)) {
                int end = Math.toIntExact((region.from() + region.bytes()) / chunk);
                int[] ofRank = used[region.rank()];
                ofRank[region.buffer().number()] =
                        Math.max(ofRank[region.buffer().number()], end);
            }
        }
    }

    private static List<Region> regions(Task move) {
        Region from = move.from();
        Region to = move.to();
        return from == null || to == null ? List.of() : List.of(from, to);
    }

    private static long gcd(long one, long other) {
        return other == 0 ? one : gcd(other, one % other);
    }

    /** Chunks of all data: {@code nchunksperloop}. */
    long chunks() {
        long ofCount = call.count() * call.elementBytes() / chunk;
        return call.collective().hasCounts() ? call.ranks() * ofCount : ofCount;
    }

    long inputs(int rank) {
        return call.inputBytes(rank) / chunk;
    }

    long outputs(int rank) {
        return call.outputBytes(rank) / chunk;
    }

    /** Chunks of scratch memory before a buffer; of all scratch memory if there is no buffer. */
    private int before(int rank, int kind) {
        int chunks = 0;
        for (int each = BufferKind.OUTPUT.number() + 1; each < kind; each++) {
            chunks += used[rank][each];
        }
        return chunks;
    }

    int scratch(int rank) {
        return before(rank, KINDS.length);
    }

    Chunks chunks(Region region) {
        BufferKind kind = region.buffer();
        int from = Math.toIntExact(region.from() / chunk);
        int count = Math.toIntExact(region.bytes() / chunk);
        return kind == BufferKind.INPUT || kind == BufferKind.OUTPUT
                ? new Chunks(kind, from, count)
                : new Chunks(BufferKind.SCRATCH, before(region.rank(), kind.number()) + from, count);
    }
}
