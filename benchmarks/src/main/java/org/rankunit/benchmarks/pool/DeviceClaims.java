package org.rankunit.benchmarks.pool;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * Memory that processes share, with one cell per device that a holder fills and empties; who finds it filled by another has caught
 * two holders of one device.
 */
final class DeviceClaims {

    private static final int LEASES = 256;
    private static final int SHARED = 257;
    private static final int CELLS = 258;

    private static final VarHandle CELL = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

    private final MappedByteBuffer memory;

    DeviceClaims(Path file) throws IOException {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, CELLS * (long) Integer.BYTES);
        }
    }

    /** @param holder not 0 */
    void fill(List<Integer> devices, int holder) {
        add(LEASES);
        swap(devices, 0, holder);
    }

    void empty(List<Integer> devices, int holder) {
        swap(devices, holder, 0);
    }

    private void swap(List<Integer> devices, int expected, int next) {
        for (int device : devices) {
            if (!CELL.compareAndSet(memory, device * Integer.BYTES, expected, next)) {
                add(SHARED);
            }
        }
    }

    private void add(int cell) {
        int before;
        do {
            before = get(cell);
        } while (!CELL.compareAndSet(memory, cell * Integer.BYTES, before, before + 1));
    }

    int leases() {
        return get(LEASES);
    }

    int shared() {
        return get(SHARED);
    }

    private int get(int cell) {
        return (int) CELL.getVolatile(memory, cell * Integer.BYTES);
    }
}
