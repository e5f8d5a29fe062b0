package org.rankunit.engine.check.bytes;

import java.util.BitSet;
import java.util.Collection;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.check.bytes.Pieces.Bytes;

/**
 * Which bytes of some memory are in a set. Takes a bit for each unit, which is as large as all accesses that will be added or
 * asked for allow, and larger in memory of which the bits would be too many. Then what is added is rounded up, and what is
 * asked for is rounded down, so that bytes count as contained too often but never too seldom.
 */
public final class ByteSet {

    private static final long MAX_BITS = 1L << 28;

    private final long begin;
    private final long end;
    private final long unit;
    private final BitSet bits = new BitSet();

    private ByteSet(long begin, long end, long unit) {
        this.begin = begin;
        this.end = end;
        this.unit = unit;
    }

    /** An empty set of bytes from {@code begin} to {@code end}, for these pieces. */
    public static ByteSet of(long begin, long end, Collection<Pieces> all) {
        long unit = end - begin;
        for (Pieces pieces : all) {
            unit = Pieces.gcd(unit, Math.abs(pieces.offset() - begin));
            unit = Pieces.gcd(unit, pieces.bytes());
            unit = Pieces.gcd(unit, pieces.distance());
        }
        long least = (end - begin - 1) / MAX_BITS + 1;
        return new ByteSet(begin, end, unit >= least ? unit : least);
    }

    /** The same memory, and nothing in it. */
    public ByteSet emptied() {
        return new ByteSet(begin, end, unit);
    }

    /** Adds what lies in this memory. */
    public void add(Pieces pieces) {
        for (long i = 0; i < pieces.count(); i++) {
            Bytes piece = pieces.piece(i);
            long from = Math.max(piece.begin(), begin) - begin;
            long to = Math.min(piece.end(), end) - begin;
            if (from < to) {
                bits.set((int) (from / unit), (int) ((to - 1) / unit) + 1);
            }
        }
    }

    /** The first bytes in this memory that are missing, up to the next ones that are not; {@code null} if none are. */
    public @Nullable Bytes firstMissing(Pieces pieces) {
        for (long i = 0; i < pieces.count(); i++) {
            Bytes piece = pieces.piece(i);
            long from = Math.max(piece.begin(), begin) - begin;
            long to = Math.min(piece.end(), end) - begin;
            int first = (int) ((from + unit - 1) / unit);
            int last = (int) (to / unit);
            int missing = bits.nextClearBit(first);
            if (from < to && missing < last) {
                int next = bits.nextSetBit(missing);
                return new Bytes(begin + missing * unit, begin + (next < 0 || next > last ? last : next) * unit);
            }
        }
        return null;
    }
}
