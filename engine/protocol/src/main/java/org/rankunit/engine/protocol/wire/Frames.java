package org.rankunit.engine.protocol.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Message frames: four bytes of length, then that many bytes. Collects the bytes that a channel delivers, in pieces of any size,
 * and returns complete frames. Not thread-safe.
 */
public final class Frames {

    private byte[] bytes = new byte[4096];
    private int start;
    private int end;

    /** Maximum size of the next message that is received. */
    private int most;

    Frames() {
        this(Limits.MESSAGE_BYTES);
    }

    /** @param most maximum size of a message that is received, until {@link #allow} allows another */
    Frames(int most) {
        this.most = most;
    }

    /** From now on, received messages may have this size. */
    void allow(int bytes) {
        most = bytes;
    }

    /** Prefix one message with its length. */
    public static ByteBuffer wrap(byte[] message) throws IOException {
        check(message.length, Limits.MESSAGE_BYTES);
        ByteBuffer frame = ByteBuffer.allocate(Integer.BYTES + message.length);
        return frame.putInt(message.length).put(message).flip();
    }

    /** Add everything between the buffer's position and its limit. */
    public void add(ByteBuffer received) {
        int more = received.remaining();
        if (end + more > bytes.length) {
            int kept = end - start;
            byte[] target = kept + more > bytes.length ? new byte[Math.max(bytes.length * 2, kept + more)] : bytes;
            System.arraycopy(bytes, start, target, 0, kept);
            bytes = target;
            start = 0;
            end = kept;
        }
        received.get(bytes, end, more);
        end += more;
    }

    /**
     * Get the next complete message, or {@code null} if it has not arrived yet.
     *
     * @throws IOException if its length is invalid, in which case the channel can no longer be used
     */
    public byte @Nullable [] next() throws IOException {
        if (end - start < Integer.BYTES) {
            return null;
        }
        int length = ByteBuffer.wrap(bytes, start, Integer.BYTES).getInt();
        check(length, most);
        if (end - start - Integer.BYTES < length) {
            return null;
        }
        int from = start + Integer.BYTES;
        start = from + length;
        return Arrays.copyOfRange(bytes, from, start);
    }

    private static void check(int length, int most) throws IOException {
        if (length < 0 || length > most) {
            throw new IOException(
                    "a message of " + Integer.toUnsignedString(length) + " bytes; at most " + most + " are allowed");
        }
    }
}
