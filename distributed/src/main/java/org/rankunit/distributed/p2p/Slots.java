package org.rankunit.distributed.p2p;

import org.rankunit.comm.Domain;

/**
 * Where messages lie. The window of each member has a slot for each other member on each lane: for a piece of a message from that member
 * with its envelope, and for the receipt of that member for a piece to it.
 */
final class Slots {

    private static final int RECEIPT = Envelope.BYTES;
    private static final int PIECE = RECEIPT + Receipt.BYTES;

    private final Domain domain;

    /** @param domain of the members, with windows of {@link #windowBytes} */
    Slots(Domain domain) {
        this.domain = domain;
    }

    static long windowBytes(int members) {
        long bytes = 0;
        for (Lane lane : Lane.values()) {
            bytes += (long) members * slotBytes(lane);
        }
        return bytes;
    }

    private static long offset(int members, Lane lane, int slot) {
        long offset = (long) slot * slotBytes(lane);
        for (Lane before : Lane.values()) {
            offset += before.number() < lane.number() ? (long) members * slotBytes(before) : 0;
        }
        return offset;
    }

    private static int slotBytes(Lane lane) {
        return PIECE + lane.pieceBytes();
    }

    private long slot(Lane lane, int owner, int other) {
        return domain.window(owner).address() + offset(domain.rankCount(), lane, other);
    }

    long envelope(Lane lane, int from, int to) {
        return slot(lane, to, from);
    }

    long piece(Lane lane, int from, int to) {
        return slot(lane, to, from) + PIECE;
    }

    /** Of a piece of a message between these two. */
    long receipt(Lane lane, int from, int to) {
        return slot(lane, from, to) + RECEIPT;
    }
}
