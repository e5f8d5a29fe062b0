package org.rankunit.engine.launch;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.rankunit.engine.protocol.LogMark;

/**
 * The output of a rank on another node. It reaches its file over a network, possibly after the message that says that a test has
 * ended. So the rank prints a mark at the end of each test, and the reader of a test's output waits for the mark.
 *
 * <p>Not thread-safe, but {@link #expectMark} may be called on another thread than the other methods.
 */
final class ForwardedOutput {

    /** How long a mark may take that the rank has printed, after the last output has arrived. */
    static final Duration PATIENCE = Duration.ofSeconds(2);

    private static final Duration LOOK = Duration.ofMillis(2);
    private static final byte[] MARK = LogMark.TEST_ENDS.getBytes(StandardCharsets.UTF_8);
    private static final int CHUNK = 64 << 10;

    private final Path file;
    private final long patienceNanos;
    private volatile int expected;
    private int found;

    /** How many marks were awaited when one did not arrive. */
    private int givenUp;

    /** Everything before this position was searched for marks. */
    private long searched;

    ForwardedOutput(Path file, Duration patience) {
        this.file = file;
        this.patienceNanos = patience.toNanos();
    }

    /** The rank has said that a test has ended, before which it has printed a mark. */
    synchronized void expectMark() {
        expected++;
    }

    /**
     * Wait until all marks have arrived that are expected by now. Returns early if they do not arrive; then they are
     * awaited again only together with later ones, which come after them.
     */
    void await() throws IOException {
        int wanted = expected;
        long deadline = System.nanoTime() + patienceNanos;
        while (found < wanted && givenUp < wanted) {
            long before = searched;
            search();
            if (searched > before) {
                deadline = System.nanoTime() + patienceNanos;
            } else if (System.nanoTime() - deadline > 0
                    || Thread.currentThread().isInterrupted()) {
                // The rank, or what forwards its output, has probably ended.
                givenUp = wanted;
            } else {
                LockSupport.parkNanos(LOOK.toNanos());
            }
        }
    }

    private void search() throws IOException {
        try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
            in.seek(searched);
            byte[] bytes = new byte[CHUNK];
            int count = in.read(bytes);
            int from = 0;
            for (int at = indexOfMark(bytes, from, count); at >= 0; at = indexOfMark(bytes, from, count)) {
                found++;
                from = at + MARK.length;
            }
            // The last bytes may be the beginning of a mark.
            searched += Math.max(from, count - MARK.length + 1);
        }
    }

    private static int indexOfMark(byte[] bytes, int from, int count) {
        for (int at = from; at + MARK.length <= count; at++) {
            int same = 0;
            while (same < MARK.length && bytes[at + same] == MARK[same]) {
                same++;
            }
            if (same == MARK.length) {
                return at;
            }
        }
        return -1;
    }
}
