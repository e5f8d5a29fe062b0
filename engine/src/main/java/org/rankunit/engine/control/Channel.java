package org.rankunit.engine.control;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One end of the connection between the parent and a rank.
 *
 * <p>Any thread may send; one thread at a time may receive.
 */
public final class Channel implements AutoCloseable {

    /** Version of the messages; both sides must agree. */
    public static final int PROTOCOL = 2;

    /** Exit code of a rank that has lost the channel to its parent; one that programs hardly choose. */
    public static final int LOST_EXIT_CODE = 113;

    private static final Duration SEND_TIMEOUT = Duration.ofSeconds(10);

    private final SocketChannel socket;
    private final RecordCodec codec;
    private final Frames frames = new Frames();
    private final ByteBuffer incoming = ByteBuffer.allocateDirect(16 << 10);
    private final ReentrantLock sending = new ReentrantLock();

    public Channel(SocketChannel socket, RecordCodec codec) {
        this.socket = socket;
        this.codec = codec;
    }

    public SocketChannel socket() {
        return socket;
    }

    /**
     * Send one message whole.
     *
     * @throws UnsendableException if this message is none that can be sent; another one can be
     * @throws IOException if the other side cannot be reached
     */
    public void send(Record message, Class<?> declared) throws IOException {
        ByteBuffer frame = frame(message, declared);
        sending.lock();
        try {
            long deadline = System.nanoTime() + SEND_TIMEOUT.toNanos();
            while (frame.hasRemaining()) {
                if (socket.write(frame) > 0) {
                    continue;
                }
                // Only a non-blocking socket takes nothing, when its buffer is full.
                if (System.nanoTime() - deadline > 0) {
                    throw new IOException("the other side has read nothing for " + SEND_TIMEOUT.toSeconds() + " s");
                }
                LockSupport.parkNanos(100_000);
            }
        } finally {
            sending.unlock();
        }
    }

    private ByteBuffer frame(Record message, Class<?> declared) throws UnsendableException {
        try {
            return Frames.wrap(codec.encode(message, declared));
        } catch (IOException e) {
            throw new UnsendableException(message, e);
        }
    }

    /** Wait for the next message; {@code null} at the end of the stream. For a blocking socket. */
    public <T> @Nullable T receive(Class<T> declared) throws IOException {
        while (true) {
            T message = next(declared);
            if (message != null) {
                return message;
            }
            if (fill() < 0) {
                return null;
            }
        }
    }

    /** Take over what has arrived; returns the number of bytes, or -1 at the end of the stream. */
    public int fill() throws IOException {
        incoming.clear();
        int count = socket.read(incoming);
        frames.add(incoming.flip());
        return count;
    }

    /** Get the next message that has arrived whole, or {@code null}. */
    public <T> @Nullable T next(Class<T> declared) throws IOException {
        byte[] frame = frames.next();
        return frame == null ? null : codec.decode(frame, declared);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
