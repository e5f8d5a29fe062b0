package org.rankunit.engine.protocol;

import java.util.List;

/**
 * One buffer that a rank must publish for a test.
 *
 * @param type name of a {@code DType}
 * @param placement name of a {@code Placement}
 * @param offset bytes from the window's base if the buffer is placed in the window; otherwise 0
 * @param bytes its size
 * @param shape its extents; empty if it has none
 * @param role name of a {@code Buffer.Role}
 * @param unverified whether the test may pass without a golden for it
 * @param guardBytes how many bytes behind it must stay as they are
 */
public record BufferSpec(
        String name,
        String type,
        int count,
        String placement,
        long offset,
        long bytes,
        List<Integer> shape,
        String role,
        boolean unverified,
        int guardBytes) {

    /** A buffer without a role. */
    public BufferSpec(String name, String type, int count, String placement, long offset, long bytes) {
        this(name, type, count, placement, offset, bytes, List.of(), "PLAIN", false, 0);
    }

    /** Its size with that of the guard. */
    public long guardedBytes() {
        return bytes + guardBytes;
    }
}
