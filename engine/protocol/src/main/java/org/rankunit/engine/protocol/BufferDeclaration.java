package org.rankunit.engine.protocol;

import java.util.List;
import org.rankunit.Buffer;
import org.rankunit.DType;
import org.rankunit.Placement;

/**
 * One {@link org.rankunit.Buffer} as declared, with the place of the declaration.
 *
 * @param shape its extents; empty if none are declared
 * @param unverified whether the test may pass without a golden for it
 */
public record BufferDeclaration(
        String name,
        DType type,
        int count,
        Placement placement,
        List<Integer> shape,
        Buffer.Role role,
        boolean unverified,
        String place) {

    /** Guard bytes are at least so many, and their end has this alignment. */
    private static final int GUARD = 64;

    /** A buffer without a role. */
    public BufferDeclaration(String name, DType type, int count, Placement placement, String place) {
        this(name, type, count, placement, List.of(), Buffer.Role.PLAIN, false, place);
    }

    public long bytes() {
        return (long) count * type.byteSize();
    }

    /** How many bytes behind it must stay as they are. */
    public int guardBytes() {
        return GUARD + (int) Math.floorMod(-bytes(), (long) GUARD);
    }
}
