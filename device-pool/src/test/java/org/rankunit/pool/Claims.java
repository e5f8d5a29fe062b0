package org.rankunit.pool;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Memory that processes share, with one cell per device that a holder fills and empties. A holder that finds the cell
 * filled has caught two holders of one device; this does not rely on clocks, nor on the locks under test.
 */
final class Claims {

    private static final int OVERLAPS = 1000;
    private static final int LEASES = 1001;
    /** One cell per holder that is to be killed. */
    private static final int DOOMED = 1100;

    private static final VarHandle CELL = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

    private final MappedByteBuffer memory;

    private Claims(MappedByteBuffer memory) {
        this.memory = memory;
    }

    static Claims in(Path file) throws IOException {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return new Claims(channel.map(FileChannel.MapMode.READ_WRITE, 0, 8192));
        }
    }

    void fill(DeviceLease lease, int holder) {
        add(LEASES);
        for (int device : lease.devices()) {
            int before = (int) CELL.getVolatile(memory, device * Integer.BYTES);
            boolean left = before != 0 && (int) CELL.getVolatile(memory, (DOOMED + before) * Integer.BYTES) != 0;
            if (!CELL.compareAndSet(memory, device * Integer.BYTES, left ? before : 0, holder)) {
                add(OVERLAPS);
            }
        }
    }

    /** Say that a holder is about to be killed: who finds its device filled from then on has caught nobody. */
    void doom(int holder) {
        CELL.setVolatile(memory, (DOOMED + holder) * Integer.BYTES, 1);
    }

    void empty(DeviceLease lease, int holder) {
        for (int device : lease.devices()) {
            if (!CELL.compareAndSet(memory, device * Integer.BYTES, holder, 0)) {
                add(OVERLAPS);
            }
        }
    }

    int overlaps() {
        return (int) CELL.getVolatile(memory, OVERLAPS * Integer.BYTES);
    }

    int leases() {
        return (int) CELL.getVolatile(memory, LEASES * Integer.BYTES);
    }

    private void add(int cell) {
        int before = (int) CELL.getAndAdd(memory, cell * Integer.BYTES, 1);
        if (before < 0) {
            throw new IllegalStateException("cell " + cell + " has overflowed");
        }
    }
}
