package org.rankunit.device;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.rankunit.comm.jna.DeviceFunctions;
import org.rankunit.comm.jna.DeviceLibrary;

/**
 * Off-heap memory through which arrays are copied to and from the device: part of an array cannot be passed to native
 * code, and passing a whole array would copy all of it each time. Allocated on first use. Thread-safe.
 */
final class StagingBuffer {

    /** Small enough to stay in a core's own cache. */
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
