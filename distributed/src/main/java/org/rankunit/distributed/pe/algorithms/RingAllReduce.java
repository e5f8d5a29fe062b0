package org.rankunit.distributed.pe.algorithms;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.distributed.pe.Direction;
import org.rankunit.distributed.pe.PeAlgorithm;
import org.rankunit.distributed.pe.PeContext;
import org.rankunit.distributed.pe.PeTopology;
import org.rankunit.distributed.pe.Shard;

/**
 * All-reduce on a ring: the elements are divided into as many parts as there are ranks, which go round twice; first they are reduced,
 * then they are copied.
 *
 * <p>With x(r) the element of rank r, part c is {@code x(c - 1) op (... op (x(c + 1) op x(c)))}, ranks modulo n; the same bits on all
 * ranks.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class RingAllReduce implements PeAlgorithm {

    @Override
    public Optional<String> unsupportedReason(PeTopology topology, int worldSize) {
        return topology == PeTopology.RING_1D ? Optional.empty() : Optional.of("needs the topology ring_1d");
    }

    @Override
    public void kernel(PeContext pe) {
        Shard shard = pe.shard(0);
        int n = pe.worldSize();
        Pieces pieces = new Pieces(pe, shard);
        for (int step = 0; step < n - 1; step++) {
            exchange(pe, pieces, shard, pe.rank() - step, pe.rank() - step - 1, true);
        }
        for (int step = 0; step < n - 1; step++) {
            exchange(pe, pieces, shard, pe.rank() + 1 - step, pe.rank() - step, false);
        }
    }

    /** Send a part, and receive another one: piece by piece in turn, since slots are few. */
    private static void exchange(PeContext pe, Pieces pieces, Shard shard, int sent, int received, boolean reduces) {
        int n = pe.worldSize();
        int out = Math.floorMod(sent, n);
        int in = Math.floorMod(received, n);
        int outCount = size(shard, out, n);
        int inCount = size(shard, in, n);
        for (int piece = 0; piece < Math.max(pieces.of(outCount), pieces.of(inCount)); piece++) {
            if (piece < pieces.of(outCount)) {
                pieces.send(Direction.E, first(shard, out, n), outCount, piece);
            }
            if (piece < pieces.of(inCount)) {
                pieces.receive(Direction.W, first(shard, in, n), inCount, piece, reduces);
            }
        }
    }

    private static int first(Shard shard, int part, int parts) {
        return (int) ((long) shard.count() * part / parts);
    }

    private static int size(Shard shard, int part, int parts) {
        return first(shard, part + 1, parts) - first(shard, part, parts);
    }
}
