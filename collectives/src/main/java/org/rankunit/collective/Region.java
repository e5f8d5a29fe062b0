package org.rankunit.collective;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.Slice;

/**
 * Some bytes of a buffer of one rank.
 *
 * @param rank whose buffer it is
 * @param from the first byte
 * @param bytes 0 or more
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public record Region(int rank, BufferKind buffer, long from, long bytes) {

    public Region {
        if (from < 0 || bytes < 0) {
            throw new IllegalArgumentException(
                    "a region of " + bytes + " bytes at " + from + " in " + buffer + " of rank " + rank);
        }
    }

    /**
     * Get a part of this region.
     *
     * @param offset from its first byte
     * @throws IllegalArgumentException if it is not inside
     */
    public Region part(long offset, long size) {
        if (offset < 0 || size < 0 || offset + size > bytes) {
            throw new IllegalArgumentException(
                    size + " bytes at " + offset + " are not inside " + this + ", which has " + bytes + " bytes");
        }
        return new Region(rank, buffer, from + offset, size);
    }

    /** Get the part of this region that a slice covers. */
    public Region part(Slice slice) {
        return part(slice.from(), slice.bytes());
    }

    /** Returns {@code "output[0, 128) of rank 3"}. */
    @Override
    public String toString() {
        return buffer + "[" + from + ", " + (from + bytes) + ") of rank " + rank;
    }
}
