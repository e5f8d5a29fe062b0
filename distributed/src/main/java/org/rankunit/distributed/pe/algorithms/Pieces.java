package org.rankunit.distributed.pe.algorithms;

import org.rankunit.distributed.pe.Direction;
import org.rankunit.distributed.pe.PeContext;
import org.rankunit.distributed.pe.PeValue;
import org.rankunit.distributed.pe.Shard;

/** Sends and receives more than a slot holds, piece by piece. */
final class Pieces {

    private final PeContext pe;
    private final Shard shard;
    private final int most;

    /** @throws IllegalArgumentException if a slot holds no element */
    Pieces(PeContext pe, Shard shard) {
        this.pe = pe;
        this.shard = shard;
        this.most = pe.slotBytes() / shard.type().byteSize();
        if (most == 0) {
            throw new IllegalArgumentException(
                    "a slot of " + pe.slotBytes() + " bytes holds no element of " + shard.type());
        }
    }

    /** How many pieces these elements are. */
    int of(int count) {
        return pe.cdiv(count, most);
    }

    int most() {
        return most;
    }

    private int size(int count, int piece) {
        return Math.min(most, count - (piece * most));
    }

    /** Send a piece of some elements of the shard. */
    void send(Direction direction, int from, int count, int piece) {
        pe.send(direction, pe.load(shard, from + (piece * most), size(count, piece)));
    }

    /** Receive a piece, and reduce it into the shard or replace what is there. */
    void receive(Direction direction, int from, int count, int piece, boolean reduces) {
        int first = from + (piece * most);
        int size = size(count, piece);
        if (!reduces) {
            pe.recvInto(direction, shard, first, size);
            return;
        }
        PeValue own = pe.load(shard, first, size);
        pe.store(shard, first, pe.reduce(own, pe.recv(direction, shard.type(), size)));
    }
}
