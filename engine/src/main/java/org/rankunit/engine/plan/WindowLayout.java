package org.rankunit.engine.plan;

import java.util.ArrayList;
import java.util.List;
import org.rankunit.Placement;
import org.rankunit.engine.protocol.BufferDeclaration;
import org.rankunit.engine.protocol.BufferSpec;
import org.rankunit.engine.protocol.TestDeclaration;

/**
 * The location of the buffers of a test. Those in the window follow each other in the order of declaration, starting after
 * the prefix. Every rank has the same layout, so an offset into one window is valid for all of them.
 *
 * @param windowBytes bytes of the window that the layout uses, including the prefix
 */
record WindowLayout(List<BufferSpec> buffers, long windowBytes) {

    /** A cache line, and a multiple of the alignment that copy engines need. */
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
                    buffer.bytes(),
                    buffer.shape(),
                    buffer.role().name(),
                    buffer.unverified(),
                    buffer.guardBytes()));
            if (inWindow) {
                end = offset + buffer.bytes() + buffer.guardBytes();
            }
        }
        return new WindowLayout(List.copyOf(specs), end);
    }

    private static long align(long offset) {
        return (offset + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }
}
