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
 * All-reduce on a mesh: rows reduce to the west, the first column reduces to the north; the result goes back the same way.
 *
 * <p>In a row, an element is reduced with what comes from the east; in the first column, with what comes from the south: the same bits
 * on all ranks.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class MeshAllReduce implements PeAlgorithm {

    @Override
    public Optional<String> unsupportedReason(PeTopology topology, int worldSize) {
        return topology == PeTopology.MESH_2D ? Optional.empty() : Optional.of("needs the topology mesh_2d");
    }

    @Override
    public void kernel(PeContext pe) {
        Shard shard = pe.shard(0);
        Pieces pieces = new Pieces(pe, shard);
        for (int piece = 0; piece < pieces.of(shard.count()); piece++) {
            boolean firstColumn = !pe.hasNeighbour(Direction.W);
            towards(pe, pieces, shard, piece, Direction.W);
            if (firstColumn) {
                towards(pe, pieces, shard, piece, Direction.N);
                back(pe, pieces, shard, piece, Direction.N);
            }
            back(pe, pieces, shard, piece, Direction.W);
        }
    }

    private static void towards(PeContext pe, Pieces pieces, Shard shard, int piece, Direction direction) {
        if (pe.hasNeighbour(direction.opposite())) {
            pieces.receive(direction.opposite(), 0, shard.count(), piece, true);
        }
        if (pe.hasNeighbour(direction)) {
            pieces.send(direction, 0, shard.count(), piece);
        }
    }

    private static void back(PeContext pe, Pieces pieces, Shard shard, int piece, Direction direction) {
        if (pe.hasNeighbour(direction)) {
            pieces.receive(direction, 0, shard.count(), piece, false);
        }
        if (pe.hasNeighbour(direction.opposite())) {
            pieces.send(direction.opposite(), 0, shard.count(), piece);
        }
    }
}
