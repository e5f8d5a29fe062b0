package org.rankunit.collective.verify.symmetry;

import org.rankunit.collective.Symmetry;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.CollectiveCall;

/**
 * Where the bytes of buffers are when ranks are shifted. A buffer that has a part for each rank is shifted with the ranks, part by part;
 * in others, bytes stay where they are.
 *
 * @param scratchBytes of each rank
 * @param scratchInParts whether scratch memory has a part for each rank
 */
record Layout(Shifts shifts, CollectiveCall call, long scratchBytes, boolean scratchInParts) {

    /** No region of the same size. */
    static final long NOWHERE = -1;

    boolean isInParts(BufferKind kind) {
        return switch (kind) {
            case INPUT ->
                switch (call.collective()) {
                    case ALL_REDUCE, REDUCE_SCATTER, ALL_TO_ALL -> true;
                    default -> false;
                };
            case OUTPUT ->
                switch (call.collective()) {
                    case ALL_REDUCE, ALL_GATHER, ALL_TO_ALL -> true;
                    default -> false;
                };
            case SCRATCH -> scratchInParts;
            case CCL_IN, CCL_OUT -> false;
        };
    }

    /** Size of a buffer of any rank. */
    long bytes(BufferKind kind) {
        return switch (kind) {
            case INPUT -> call.inputBytes(0);
            case OUTPUT -> call.outputBytes(0);
            case CCL_IN, CCL_OUT -> call.cclBytes();
            case SCRATCH -> scratchBytes;
        };
    }

    /** Size of a part; of all if there are no parts. */
    long partBytes(BufferKind kind) {
        return isInParts(kind) ? bytes(kind) / shifts.ranks() : bytes(kind);
    }

    /** Where a byte is after a shift. */
    long moved(BufferKind kind, long position, int by) {
        long part = partBytes(kind);
        if (!isInParts(kind) || part == 0) {
            return position;
        }
        return shifts.on((int) (position / part), by) * part + position % part;
    }

    /** How many bytes of a part there are from this position on. */
    long leftOfPart(BufferKind kind, long position) {
        long part = partBytes(kind);
        return part - position % part;
    }

    /**
     * Get where a region is after a shift.
     *
     * @return its first byte, or {@link #NOWHERE} if its bytes do not lie in the same order one after the other
     */
    long movedInOrder(BufferKind kind, long from, long bytes, int by) {
        if (!isInParts(kind) || bytes <= leftOfPart(kind, from)) {
            return moved(kind, from, by);
        }
        if (shifts.symmetry() == Symmetry.XOR) {
            return by == 0 ? from : NOWHERE;
        }
        long first = moved(kind, from, by);
        return first + bytes <= bytes(kind) ? first : NOWHERE;
    }

    /**
     * Get where a region is after a shift that changes the order of its parts.
     *
     * @return its first byte, or {@link #NOWHERE} if it is not a region whose parts become those of one region
     */
    long movedAsBlock(BufferKind kind, long from, long bytes, int by) {
        long part = partBytes(kind);
        if (!isInParts(kind) || bytes % part != 0) {
            return NOWHERE;
        }
        if (bytes == bytes(kind)) {
            return from == 0 ? 0 : NOWHERE;
        }
        long parts = bytes / part;
        boolean aligned = Long.bitCount(parts) == 1 && from % bytes == 0;
        return shifts.symmetry() == Symmetry.XOR && aligned ? moved(kind, from, by & -(int) parts) : NOWHERE;
    }
}
