package org.rankunit.engine.check.bytes;

import org.jspecify.annotations.Nullable;

/**
 * Pieces of memory of equal size whose begins are equally far apart, from some offset on.
 *
 * @param offset of the first piece
 * @param bytes of each piece
 * @param distance between their begins, more than {@code bytes}; 0 if there is only one
 * @param count at least 1
 */
public record Pieces(long offset, long bytes, long distance, long count) {

    /** Bytes from {@code begin} to {@code end}. */
    public record Bytes(long begin, long end) {}

    public static Pieces one(long offset, long bytes) {
        return new Pieces(offset, bytes, 0, 1);
    }

    /** The bytes from the first piece to the last one, with the gaps between them. */
    public long span() {
        return (count - 1) * distance + bytes;
    }

    public long end() {
        return offset + span();
    }

    public Bytes piece(long number) {
        long begin = offset + number * distance;
        return new Bytes(begin, begin + bytes);
    }

    /** The first bytes of a piece that lie in others, too. */
    public @Nullable Bytes firstIn(Pieces other) {
        if (end() <= other.offset || other.end() <= offset) {
            return null;
        }
        if (count > other.count) {
            return other.firstIn(this);
        }
        if (count > 1 && !mayMeet(other)) {
            return null;
        }
        if (count > 1 && distance == other.distance) {
            return firstInParallel(other);
        }
        long first = count == 1 ? 0 : Math.max(0, Math.floorDiv(other.offset - offset - bytes, distance) + 1);
        for (long i = first; i < count && piece(i).begin() < other.end(); i++) {
            Bytes piece = piece(i);
            Bytes found = other.firstIn(piece.begin(), piece.end());
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    /** Whether two that go on forever in both directions have common bytes. */
    private boolean mayMeet(Pieces other) {
        long step = gcd(distance, other.distance);
        long shift = Math.floorMod(other.offset - offset, step);
        return shift < bytes || step - shift < other.bytes;
    }

    /** The same distance: what matters is by how many pieces one is ahead of the other. */
    private @Nullable Bytes firstInParallel(Pieces other) {
        long ahead = Math.floorDiv(other.offset - offset, distance);
        for (long pieces = ahead; pieces <= ahead + 1; pieces++) {
            long mine = Math.max(0, pieces);
            if (mine < count && mine - pieces < other.count) {
                Bytes piece = piece(mine);
                Bytes found = other.firstIn(piece.begin(), piece.end());
                if (found != null) {
                    return found;
                }
            }
        }
        return null;
    }

    private @Nullable Bytes firstIn(long begin, long end) {
        long number = count == 1 ? 0 : Math.max(0, Math.floorDiv(begin - offset - bytes, distance) + 1);
        if (number >= count) {
            return null;
        }
        Bytes piece = piece(number);
        long from = Math.max(begin, piece.begin());
        long to = Math.min(end, piece.end());
        return from < to ? new Bytes(from, to) : null;
    }

    static long gcd(long a, long b) {
        return b == 0 ? a : gcd(b, a % b);
    }
}
