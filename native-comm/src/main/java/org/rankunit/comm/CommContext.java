package org.rankunit.comm;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/**
 * What kernels know about a communicator: the {@code CommContext} of {@code rankunit/kernel.h}, copied from the device.
 *
 * @param windows address of each rank's window, as this rank sees it
 */
record CommContext(int rankId, int rankCount, long windowSize, List<Long> windows) {

    static final int BYTES = 1056;
    static final int RANK_ID = 16;
    static final int RANK_NUM = 20;
    static final int WIN_SIZE = 24;
    static final int WINDOWS_IN = 32;

    /**
     * @throws CommException if this is not a context of {@code rankCount} ranks
     */
    static CommContext parse(byte[] bytes, int rankCount) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int found = buffer.getInt(RANK_NUM);
        if (found != rankCount) {
            throw new CommException(
                    CommError.MISMATCH, "the context says rankNum = " + found + ", it was made for " + rankCount);
        }
        long[] windows = new long[rankCount];
        buffer.position(WINDOWS_IN).asLongBuffer().get(windows);
        return new CommContext(
                buffer.getInt(RANK_ID),
                found,
                buffer.getLong(WIN_SIZE),
                Arrays.stream(windows).boxed().toList());
    }
}
