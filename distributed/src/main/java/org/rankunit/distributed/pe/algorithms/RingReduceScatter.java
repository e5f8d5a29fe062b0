package org.rankunit.distributed.pe.algorithms;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;
import org.rankunit.distributed.pe.Direction;
import org.rankunit.distributed.pe.PeAlgorithm;
import org.rankunit.distributed.pe.PeContext;
import org.rankunit.distributed.pe.PeValue;
import org.rankunit.distributed.pe.Shard;

/**
 * Reduce-scatter on a ring: tensor 0 is the output, tensor 1 the input. The part of rank r begins at the next rank and goes round to r.
 *
 * <p>With x(r) the element of rank r, part c is {@code x(c) op (x(c - 1) op (... op x(c + 1)))}, ranks modulo n.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class RingReduceScatter implements PeAlgorithm {

    @Override
    public void kernel(PeContext pe) {
        Shard output = pe.shard(0);
        Shard input = pe.shard(1);
        int n = pe.worldSize();
        int count = output.count();
        Pieces pieces = new Pieces(pe, output);
        for (int piece = 0; piece < pieces.of(count); piece++) {
            int from = piece * pieces.most();
            int size = Math.min(pieces.most(), count - from);
            PeValue sum = pe.load(input, (Math.floorMod(pe.rank() - 1, n) * count) + from, size);
            for (int step = 1; step < n; step++) {
                pe.send(Direction.E, sum);
                int part = Math.floorMod(pe.rank() - 1 - step, n);
                PeValue own = pe.load(input, (part * count) + from, size);
                sum = pe.reduce(own, pe.recv(Direction.W, input.type(), size));
            }
            pe.store(output, from, sum);
        }
    }
}
