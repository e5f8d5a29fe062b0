package org.rankunit.engine.protocol;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** The next bytes of a stream, of which more may follow. Not thread-safe. */
public final class PartOfStream {

    private static final int BUFFER_BYTES = 1 << 16;

    private final InputStream in;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private long left;

    public PartOfStream(InputStream in, long count) {
        this.in = in;
        this.left = count;
    }

    /**
     * Copy what is left of them.
     *
     * @throws EOFException if the stream has ended before
     */
    public void copyTo(OutputStream out) throws IOException {
        while (left > 0) {
            int some = in.read(buffer, 0, (int) Math.min(left, buffer.length));
            if (some < 0) {
                throw new EOFException(left + " bytes are missing");
            }
            left -= some;
            out.write(buffer, 0, some);
        }
    }
}
