package org.rankunit.comm;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.rankunit.device.Device;

/**
 * Reads contexts from the device. If the communicator belongs to another library than the device, the contexts and windows are
 * registered with the device first, which would refuse to access them otherwise.
 */
final class ContextReader {

    /**
     * What kernels know about a communicator: the {@code CommContext} of {@code rankunit/kernel.h}, copied from the device.
     *
     * @param windows address of each rank's window, as this rank sees it
     */
    record CommContext(int rankId, int worldSize, long windowSize, List<Long> windows) {

        static final int BYTES = 1056;
        static final int RANK_ID = 16;
        static final int RANK_NUM = 20;
        static final int WIN_SIZE = 24;
        static final int WINDOWS_IN = 32;

        /**
         * @throws CommException if this is not a context of {@code worldSize} ranks
         */
        static CommContext parse(byte[] bytes, int worldSize) {
            ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
            int found = buffer.getInt(RANK_NUM);
            if (found != worldSize) {
                throw new CommException(
                        CommError.MISMATCH,
                        "the context says rankNum = " + found + ", but it was made for " + worldSize);
            }
            long[] windows = new long[worldSize];
            buffer.position(WINDOWS_IN).asLongBuffer().get(windows);
            return new CommContext(
                    buffer.getInt(RANK_ID),
                    found,
                    buffer.getLong(WIN_SIZE),
                    Arrays.stream(windows).boxed().toList());
        }
    }

    private final Device device;

    private final boolean adopts;

    private final Set<Long> adopted = new LinkedHashSet<>();

    ContextReader(Device device, boolean adopts) {
        this.device = device;
        this.adopts = adopts;
    }

    /** Reads a context with windows that are not registered yet. */
    synchronized CommContext read(long address, int worldSize) {
        CommContext context = readPart(address, worldSize);
        if (adopts) {
            for (long window : context.windows()) {
                adopt(window, context.windowSize());
            }
        }
        return context;
    }

    /** Reads a context over registered windows. */
    synchronized CommContext readPart(long address, int worldSize) {
        if (adopts) {
            adopt(address, CommContext.BYTES);
        }
        byte[] bytes = new byte[CommContext.BYTES];
        device.copyOut(address, bytes, 0, bytes.length);
        return CommContext.parse(bytes, worldSize);
    }

    private void adopt(long address, long bytes) {
        device.adopt(address, bytes);
        adopted.add(address);
    }

    /** Call this before the context is released, and its windows with it if they were {@linkplain #read read} with it. */
    synchronized void forget(long address, CommContext context) {
        if (adopts) {
            disown(address);
            for (long window : context.windows()) {
                disown(window);
            }
        }
    }

    private void disown(long address) {
        if (adopted.remove(address)) {
            device.disown(address);
        }
    }

    /** Call this before the windows are released. */
    synchronized void disownAll() {
        adopted.forEach(device::disown);
        adopted.clear();
    }
}
