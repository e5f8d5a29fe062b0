package org.rankunit.distributed.pe.algorithms;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;
import org.rankunit.distributed.pe.Direction;
import org.rankunit.distributed.pe.PeAlgorithm;
import org.rankunit.distributed.pe.PeContext;
import org.rankunit.distributed.pe.Shard;

/**
 * All-gather on a ring: tensor 0 is the output, tensor 1 the input. Every rank sends on what it has got last.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class RingAllGather implements PeAlgorithm {

    @Override
    public void kernel(PeContext pe) {
        Shard output = pe.shard(0);
        Shard input = pe.shard(1);
        int n = pe.worldSize();
        int count = input.count();
        Pieces pieces = new Pieces(pe, output);
        for (int piece = 0; piece < pieces.of(count); piece++) {
            int from = piece * pieces.most();
            int size = Math.min(pieces.most(), count - from);
            pe.store(output, (pe.rank() * count) + from, pe.load(input, from, size));
        }
        for (int step = 0; step < n - 1; step++) {
            int sent = Math.floorMod(pe.rank() - step, n);
            int received = Math.floorMod(pe.rank() - step - 1, n);
            for (int piece = 0; piece < pieces.of(count); piece++) {
                pieces.send(Direction.E, sent * count, count, piece);
                pieces.receive(Direction.W, received * count, count, piece, false);
            }
        }
    }
}
