package org.rankunit.engine.slurm.files;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** The next bytes of a stream, of which more follow. Not thread-safe. */
final class PartOfStream {

    private static final int BUFFER_BYTES = 1 << 16;

    private final InputStream in;
    private long left;

    PartOfStream(InputStream in, long count) {
        this.in = in;
        this.left = count;
    }

    /**
     * Read some of them; 0 at the end of the part.
     *
     * @throws EOFException if the stream has ended before
     */
    int read(byte[] buffer) throws IOException {
        if (left == 0) {
            return 0;
        }
        int some = in.read(buffer, 0, (int) Math.min(left, buffer.length));
        if (some < 0) {
            throw new EOFException(left + " bytes are missing");
        }
        left -= some;
        return some;
    }

    /** Read what is left of them. */
    void skipRest() throws IOException {
        byte[] buffer = new byte[BUFFER_BYTES];
        while (left > 0) {
            read(buffer);
        }
    }
}
