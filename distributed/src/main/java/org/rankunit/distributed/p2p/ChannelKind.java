package org.rankunit.distributed.p2p;

/** Messages of one kind do not wait for those of another. */
enum ChannelKind {
    /** Those of the user. */
    DATA(0, 64 << 10),
    /** Those of the monitored barrier. */
    CONTROL(1, 1 << 10);

    /** Counted from 0. */
    private final int number;

    private final int pieceBytes;

    ChannelKind(int number, int pieceBytes) {
        this.number = number;
        this.pieceBytes = pieceBytes;
    }

    int number() {
        return number;
    }

    /** The most bytes of a piece of a message. */
    int pieceBytes() {
        return pieceBytes;
    }
}
