package org.rankunit.distributed.pe.algorithms;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;
import org.rankunit.distributed.pe.Direction;
import org.rankunit.distributed.pe.PeAlgorithm;
import org.rankunit.distributed.pe.PeContext;
import org.rankunit.distributed.pe.PeValue;
import org.rankunit.distributed.pe.Shard;

/**
 * Sends the elements of one rank round a ring to others: to one rank, or to all.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class RingRelay implements PeAlgorithm {

    private final int from;
    private final int hops;
    private final boolean keeps;

    private RingRelay(int from, int hops, boolean keeps) {
        this.from = from;
        this.hops = hops;
        this.keeps = keeps;
    }

    /** Broadcast: every rank gets the elements of the root. */
    public static RingRelay toAll(int root, int worldSize) {
        return new RingRelay(root, worldSize - 1, true);
    }

    /** Send to one rank; those on the way only pass the elements on. */
    public static RingRelay toOne(int from, int to, int worldSize) {
        return new RingRelay(from, Math.floorMod(to - from, worldSize), false);
    }

    @Override
    public void kernel(PeContext pe) {
        Shard shard = pe.shard(0);
        int place = Math.floorMod(pe.rank() - from, pe.worldSize());
        Pieces pieces = new Pieces(pe, shard);
        for (int piece = 0; piece < pieces.of(shard.count()) && place <= hops; piece++) {
            int first = piece * pieces.most();
            int size = Math.min(pieces.most(), shard.count() - first);
            PeValue value = place == 0 ? pe.load(shard, first, size) : pe.recv(Direction.W, shard.type(), size);
            if (place < hops) {
                pe.send(Direction.E, value);
            }
            if (place > 0 && (keeps || place == hops)) {
                pe.store(shard, first, value);
            }
        }
    }
}
