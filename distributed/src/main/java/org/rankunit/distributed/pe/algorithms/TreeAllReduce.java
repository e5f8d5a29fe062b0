package org.rankunit.distributed.pe.algorithms;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.distributed.pe.Direction;
import org.rankunit.distributed.pe.PeAlgorithm;
import org.rankunit.distributed.pe.PeContext;
import org.rankunit.distributed.pe.PeTopology;
import org.rankunit.distributed.pe.Shard;

/**
 * All-reduce on a binary tree: each rank reduces what its children have, the one in the west first, and sends it to its parent; the
 * result goes back down. The same bits on all ranks.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class TreeAllReduce implements PeAlgorithm {

    private static final List<Direction> CHILDREN = List.of(Direction.W, Direction.E);

    @Override
    public Optional<String> unsupportedReason(PeTopology topology, int worldSize) {
        return topology == PeTopology.TREE_BINARY ? Optional.empty() : Optional.of("needs the topology tree_binary");
    }

    @Override
    public void kernel(PeContext pe) {
        Shard shard = pe.shard(0);
        Pieces pieces = new Pieces(pe, shard);
        int count = shard.count();
        for (int piece = 0; piece < pieces.of(count); piece++) {
            for (Direction child : CHILDREN) {
                if (pe.hasNeighbour(child)) {
                    pieces.receive(child, 0, count, piece, true);
                }
            }
            if (pe.hasNeighbour(Direction.N)) {
                pieces.send(Direction.N, 0, count, piece);
                pieces.receive(Direction.N, 0, count, piece, false);
            }
            for (Direction child : CHILDREN) {
                if (pe.hasNeighbour(child)) {
                    pieces.send(child, 0, count, piece);
                }
            }
        }
    }
}
