package org.rankunit.device;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.rankunit.comm.jna.DeviceFunctions;
import org.rankunit.comm.jna.DeviceLibrary;

/**
 * Copies buffers to and from the device. A direct one is copied at once. Another one goes through off-heap memory in parts: part of
 * an array cannot be passed to native code, and passing a whole array would copy all of it each time. That memory is allocated on
 * first use. Thread-safe.
 */
final class StagingBuffer {

    /** Small enough to stay in a core's own cache. */
    private static final int BYTES = 256 << 10;

    private @Nullable ByteBuffer buffer;

    /** Copy what is between the position and the limit of the source. */
    int copyIn(long device, long address, ByteBuffer source) {
        if (source.isDirect()) {
            try {
                long host = DeviceLibrary.addressOf(source) + source.position();
                return DeviceFunctions.device_copy_in(device, address, host, source.remaining());
            } finally {
                Reference.reachabilityFence(source);
            }
        }
        return copyInParts(device, address, source);
    }

    private synchronized int copyInParts(long device, long address, ByteBuffer source) {
        ByteBuffer memory = buffer();
        long host = DeviceLibrary.addressOf(memory);
        int done = 0;
        do {
            int part = Math.min(BYTES, source.remaining() - done);
            memory.put(0, source, source.position() + done, part);
            int status = DeviceFunctions.device_copy_in(device, address + done, host, part);
            if (status != 0) {
                return status;
            }
            done += part;
        } while (done < source.remaining());
        return 0;
    }

    /** Fill what is between the position and the limit of the target. */
    int copyOut(long device, long address, ByteBuffer target) {
        if (target.isDirect()) {
            try {
                long host = DeviceLibrary.addressOf(target) + target.position();
                return DeviceFunctions.device_copy_out(device, host, address, target.remaining());
            } finally {
                Reference.reachabilityFence(target);
            }
        }
        return copyOutInParts(device, address, target);
    }

    private synchronized int copyOutInParts(long device, long address, ByteBuffer target) {
        ByteBuffer memory = buffer();
        long host = DeviceLibrary.addressOf(memory);
        int done = 0;
        do {
            int part = Math.min(BYTES, target.remaining() - done);
            int status = DeviceFunctions.device_copy_out(device, host, address + done, part);
            if (status != 0) {
                return status;
            }
            target.put(target.position() + done, memory, 0, part);
            done += part;
        } while (done < target.remaining());
        return 0;
    }

    private ByteBuffer buffer() {
        if (buffer == null) {
            buffer = ByteBuffer.allocateDirect(BYTES);
        }
        return buffer;
    }
}
