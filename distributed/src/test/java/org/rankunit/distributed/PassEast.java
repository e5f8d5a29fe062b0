package org.rankunit.distributed;

import org.rankunit.distributed.pe.Direction;
import org.rankunit.distributed.pe.PeAlgorithm;
import org.rankunit.distributed.pe.PeContext;
import org.rankunit.distributed.pe.PeValue;
import org.rankunit.distributed.pe.Shard;

public final class PassEast implements PeAlgorithm {

    @Override
    public void kernel(PeContext pe) {
        Shard shard = pe.shard(0); // this PE's part of the tensor, in its HBM
        PeValue own = pe.load(shard); // HBM to TCM
        pe.send(Direction.E, own); // taken at once
        PeValue other = pe.recv(Direction.W, shard.type(), shard.count());
        pe.store(shard, pe.reduce(own, other));
    }
}
