package org.rankunit.distributed.p2p;

import org.rankunit.comm.Domain;

/**
 * Where messages lie. The window of each member has a slot for each other member and each kind of channel: for a piece of a message
 * from that member with its envelope, and for the receipt of that member for a piece to it.
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
        for (ChannelKind kind : ChannelKind.values()) {
            bytes += (long) members * slotBytes(kind);
        }
        return bytes;
    }

    private static long offset(int members, ChannelKind kind, int slot) {
        long offset = (long) slot * slotBytes(kind);
        for (ChannelKind before : ChannelKind.values()) {
            offset += before.number() < kind.number() ? (long) members * slotBytes(before) : 0;
        }
        return offset;
    }

    private static int slotBytes(ChannelKind kind) {
        return PIECE + kind.pieceBytes();
    }

    private long slot(ChannelKind kind, int owner, int other) {
        return domain.window(owner).address() + offset(domain.worldSize(), kind, other);
    }

    long envelope(ChannelKind kind, int from, int to) {
        return slot(kind, to, from);
    }

    long piece(ChannelKind kind, int from, int to) {
        return slot(kind, to, from) + PIECE;
    }

    /** Of a piece of a message between these two. */
    long receipt(ChannelKind kind, int from, int to) {
        return slot(kind, from, to) + RECEIPT;
    }
}
