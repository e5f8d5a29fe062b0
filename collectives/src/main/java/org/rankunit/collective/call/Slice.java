package org.rankunit.collective.call;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;

/**
 * A part of the data of a collective, in bytes.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public record Slice(long from, long bytes) {

    /** The first byte after it. */
    public long end() {
        return from + bytes;
    }

    /**
     * Get a part of this slice, divided as by {@link #ofPart}.
     *
     * @param size of an element in bytes
     */
    public Slice part(int part, int parts, int size) {
        Slice inside = ofPart(part, parts, bytes / size, size);
        return new Slice(from + inside.from, inside.bytes);
    }

    /**
     * Divide elements into parts of equal size, or as equal as possible: the first ones have one element more.
     *
     * @param elements in all
     * @param size of an element in bytes
     */
    public static Slice ofPart(int part, int parts, long elements, int size) {
        long each = elements / parts;
        long more = elements % parts;
        long first = part * each + Math.min(part, more);
        return new Slice(first * size, (each + (part < more ? 1 : 0)) * size);
    }
}
