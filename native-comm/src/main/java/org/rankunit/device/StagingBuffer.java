package org.rankunit.device;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.rankunit.comm.jna.DeviceFunctions;
import org.rankunit.comm.jna.DeviceLibrary;

/**
 * Memory outside of the heap, through which arrays travel to the device and back: native code cannot be given a
 * part of an array, and a whole one would be copied each time. Made when first needed; safe for threads.
 */
final class StagingBuffer {

    /** Stays in a core's own cache. */
    private static final int BYTES = 256 << 10;

    private @Nullable ByteBuffer buffer;

    synchronized int copyIn(long device, long address, byte[] source, int offset, int length) {
        ByteBuffer memory = buffer();
        long host = DeviceLibrary.addressOf(memory);
        int done = 0;
        do {
            int part = Math.min(BYTES, length - done);
            memory.put(0, source, offset + done, part);
            int status = DeviceFunctions.device_copy_in(device, address + done, host, part);
            if (status != 0) {
                return status;
            }
            done += part;
        } while (done < length);
        return 0;
    }

    synchronized int copyOut(long device, long address, byte[] target, int offset, int length) {
        ByteBuffer memory = buffer();
        long host = DeviceLibrary.addressOf(memory);
        int done = 0;
        do {
            int part = Math.min(BYTES, length - done);
            int status = DeviceFunctions.device_copy_out(device, host, address + done, part);
            if (status != 0) {
                return status;
            }
            memory.get(0, target, offset + done, part);
            done += part;
        } while (done < length);
        return 0;
    }

    private ByteBuffer buffer() {
        if (buffer == null) {
            buffer = ByteBuffer.allocateDirect(BYTES);
        }
        return buffer;
    }
}
