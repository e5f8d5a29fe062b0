package org.rankunit.distributed.pe.run;

import java.util.List;
import org.rankunit.DType;
import org.rankunit.Values;
import org.rankunit.distributed.pe.machine.WorldPlacement;
import org.rankunit.distributed.pe.tensor.DistributedTensor;
import org.rankunit.distributed.pe.tensor.TensorParts;

/** A tensor of a machine. The bytes of a part are used by its lane during a launch, and by the host between launches. */
final class StoredTensor implements DistributedTensor {

    private final PeMachine machine;
    private final TensorParts parts;

    /** By rank; empty for those of other processes. */
    private final byte[][] stored;

    StoredTensor(PeMachine machine, TensorParts parts) {
        this.machine = machine;
        this.parts = parts;
        this.stored = new byte[parts.placement().worldSize()][];
        for (int rank = 0; rank < stored.length; rank++) {
            stored[rank] = new byte[machine.isLocal(rank) ? bytesOfPart() : 0];
        }
    }

    private int bytesOfPart() {
        return parts.partCount() * type().byteSize();
    }

    boolean isOf(PeMachine other) {
        return machine == other;
    }

    TensorParts parts() {
        return parts;
    }

    byte[] bytes(int rank) {
        return stored[rank];
    }

    @Override
    public DType type() {
        return parts.type();
    }

    @Override
    public int rows() {
        return parts.rows();
    }

    @Override
    public int columns() {
        return parts.columns();
    }

    @Override
    public WorldPlacement placement() {
        return parts.placement();
    }

    @Override
    public int columnsOfPart() {
        return parts.width();
    }

    @Override
    public void copyFrom(Values whole) {
        machine.betweenLaunches(() -> {
            for (int rank = 0; rank < stored.length; rank++) {
                if (machine.isLocal(rank)) {
                    stored[rank] = parts.partOf(whole, rank).encode();
                }
            }
            return null;
        });
    }

    @Override
    public Values read() {
        return machine.betweenLaunches(() -> {
            List<byte[]> all = machine.gather(stored);
            byte[] whole = new byte[parts.count() * type().byteSize()];
            for (int rank = stored.length - 1; rank >= 0; rank--) {
                parts.putPart(Values.decode(type(), all.get(rank)), rank, whole);
            }
            return Values.decode(type(), whole);
        });
    }

    @Override
    public Values readPart(int rank) {
        if (rank < 0 || rank >= stored.length || !machine.isLocal(rank)) {
            throw new IllegalArgumentException(
                    "PE " + rank + " does not belong to this process, which has " + machine.ranks());
        }
        return machine.betweenLaunches(() -> Values.decode(type(), stored[rank]));
    }
}
