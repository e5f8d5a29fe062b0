package org.rankunit.engine.plan;

import java.util.ArrayList;
import java.util.List;
import org.rankunit.Placement;
import org.rankunit.engine.control.BufferDeclaration;
import org.rankunit.engine.control.BufferSpec;
import org.rankunit.engine.control.TestDeclaration;

/**
 * Where the buffers of a test lie: those in the window one behind the other, in the order of their declaration, the first
 * one behind the prefix. Every rank has the same layout, so an offset into one window holds for all of them.
 *
 * @param windowBytes bytes of the window that the layout takes, the prefix included
 */
record WindowLayout(List<BufferSpec> buffers, long windowBytes) {

    /** A cache line, and a multiple of what copy engines want. */
    static final int ALIGNMENT = 64;

    /** Lay out the buffers of a test. */
    static WindowLayout of(TestDeclaration test) {
        List<BufferSpec> specs = new ArrayList<>();
        long end = test.syncPrefix();
        for (BufferDeclaration buffer : test.buffers()) {
            boolean inWindow = buffer.placement() == Placement.WINDOW;
            long offset = inWindow ? align(end) : 0;
            specs.add(new BufferSpec(
                    buffer.name(),
                    buffer.type().name(),
                    buffer.count(),
                    buffer.placement().name(),
                    offset,
                    buffer.bytes()));
            if (inWindow) {
                end = offset + buffer.bytes();
            }
        }
        return new WindowLayout(List.copyOf(specs), end);
    }

    private static long align(long offset) {
        return (offset + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }
}
