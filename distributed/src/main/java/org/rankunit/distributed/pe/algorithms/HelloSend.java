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
 * The smallest kernel that uses a queue: every rank of a ring sends its elements to the next one, and gets those of the one before.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class HelloSend implements PeAlgorithm {

    @Override
    public Optional<String> unsupportedReason(PeTopology topology, int worldSize) {
        return topology == PeTopology.RING_1D ? Optional.empty() : Optional.of("needs the topology ring_1d");
    }

    @Override
    public void kernel(PeContext pe) {
        Shard shard = pe.shard(0);
        if (pe.hasNeighbour(Direction.E)) {
            pe.send(Direction.E, pe.load(shard));
            pe.store(shard, pe.recv(Direction.W, shard.type(), shard.count()));
        }
    }
}
