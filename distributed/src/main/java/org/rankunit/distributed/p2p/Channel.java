package org.rankunit.distributed.p2p;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.rankunit.comm.CommAbortedException;
import org.rankunit.comm.CommError;
import org.rankunit.comm.CommException;
import org.rankunit.device.Device;
import org.rankunit.device.DeviceException;
import org.rankunit.device.Stream;

/**
 * One end of the messages from one member to another, of one kind. What is done here is done one after the other, on a stream of its own
 * and by a thread that other channels may use too, so that no channel waits for another one.
 */
abstract class Channel {

    /** The stream's own wait, which says what it waits for, ends before that for the stream. */
    private static final Duration AFTER_STREAM = Duration.ofSeconds(5);

    /**
     * Another member, as messages for people name it.
     *
     * @param member its number in the group
     * @param rank its number in the test
     */
    record Peer(int member, int rank) {

        @Override
        public String toString() {
            return member == rank ? "member " + member : "member " + member + " (rank " + rank + " of the test)";
        }
    }

    /**
     * @param own the number of this member
     * @param peer at the other end
     * @param executor may run as many tasks at once as there are channels
     */
    record Ends(
            Device device,
            Slots slots,
            ChannelKind kind,
            int own,
            Peer peer,
            Wiring.Signals signals,
            Executor executor) {}

    private final Ends ends;
    private final ByteBuffer envelope = Envelope.allocate();
    private final ByteBuffer receipt = Envelope.allocate();
    private CompletableFuture<?> last = CompletableFuture.completedFuture(null);
    private @Nullable Stream stream;

    /** Whether the peer has closed the group. Used by the tasks alone, one after the other. */
    private boolean closed;

    Channel(Ends ends) {
        this.ends = ends;
    }

    Ends ends() {
        return ends;
    }

    Peer peer() {
        return ends.peer();
    }

    ByteBuffer envelope() {
        return envelope;
    }

    ByteBuffer receipt() {
        return receipt;
    }

    /** Do something after all that was asked for before. */
    synchronized CompletableFuture<Void> later(String what, Runnable task) {
        CompletableFuture<Void> done =
                last.handle((result, failure) -> null).thenRunAsync(() -> told(what, task), ends.executor());
        last = done;
        return done;
    }

    private static void told(String what, Runnable task) {
        try {
            task.run();
        } catch (DeviceException e) {
            throw new DeviceException(what + ": " + e.getMessage(), e);
        }
    }

    Stream stream() {
        if (stream == null) {
            stream = ends.device().createStream();
        }
        return stream;
    }

    void synchronize() {
        stream().synchronize(ends.device().waitTimeout().plus(AFTER_STREAM));
    }

    boolean isClosed() {
        return closed;
    }

    void closedByPeer() {
        closed = true;
    }

    /** A consequence of what the peer did. */
    CommAbortedException peerLeft(String what, String how) {
        return new CommAbortedException(CommError.PEER_LEFT, peer().rank(), what + ": " + how);
    }

    CommException mismatch(String what, String sent, String wanted) {
        return new CommException(CommError.MISMATCH, what + ": " + sent + ", but " + wanted);
    }

    /** After all tasks have ended. */
    void close() {
        if (stream != null) {
            stream.close();
            stream = null;
        }
    }
}
