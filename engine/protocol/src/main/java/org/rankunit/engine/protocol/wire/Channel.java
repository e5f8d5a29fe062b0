package org.rankunit.engine.protocol.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * One end of the connection between the parent and a rank.
 *
 * <p>Any thread may send; only one thread at a time may receive.
 */
public final class Channel implements AutoCloseable {

    /** Version of the message protocol; both sides must agree. */
    public static final int PROTOCOL = 5;

    /** Exit code of a rank that has lost the channel to its parent; programs are unlikely to use it. */
    public static final int LOST_EXIT_CODE = 113;

    private static final Duration SEND_TIMEOUT = Duration.ofSeconds(10);

    private final SocketChannel socket;
    private final RecordCodec codec;
    private final Frames frames;
    private final ByteBuffer incoming = ByteBuffer.allocateDirect(16 << 10);
    private final ReentrantLock sending = new ReentrantLock();

    /** What to do when a sign of life arrives, on the thread that receives. */
    private volatile Runnable onSign = () -> {};

    public Channel(SocketChannel socket, RecordCodec codec) {
        this(socket, codec, Limits.MESSAGE_BYTES);
    }

    private Channel(SocketChannel socket, RecordCodec codec, int most) {
        this.socket = socket;
        this.codec = codec;
        this.frames = new Frames(most);
    }

    /** The end of a connection with an unknown process, whose messages must be small until it is {@link #trust}ed. */
    public static Channel withStranger(SocketChannel socket, RecordCodec codec) {
        return new Channel(socket, codec, Limits.FIRST_MESSAGE_BYTES);
    }

    /** From now on, messages of the usual size are received. Called on the thread that receives. */
    public void trust() {
        frames.allow(Limits.MESSAGE_BYTES);
    }

    public SocketChannel socket() {
        return socket;
    }

    /**
     * Send one complete message.
     *
     * @throws UnsendableException if this message cannot be sent; others still can
     * @throws IOException if the other side cannot be reached
     */
    public void send(Record message, Class<?> declared) throws IOException {
        ByteBuffer frame = frame(message, declared);
        sending.lock();
        try {
            write(frame);
        } finally {
            sending.unlock();
        }
    }

    private void write(ByteBuffer frame) throws IOException {
        long deadline = System.nanoTime() + SEND_TIMEOUT.toNanos();
        while (frame.hasRemaining()) {
            if (socket.write(frame) > 0) {
                continue;
            }
            // Only a non-blocking socket accepts no bytes, when its buffer is full.
            if (System.nanoTime() - deadline > 0) {
                throw new IOException("the other side has read nothing for " + SEND_TIMEOUT.toSeconds() + " s");
            }
            LockSupport.parkNanos(100_000);
        }
    }

    /** Decide what to do when a sign of life arrives, on the thread that receives; by default nothing. */
    public void onSign(Runnable action) {
        onSign = action;
    }

    /**
     * Send a sign of life: an empty frame, which is no message. Does nothing while another thread sends, since that is a sign as
     * well, and if the other side cannot be reached, which the receiver notices.
     */
    public void trySign() {
        if (!sending.tryLock()) {
            return;
        }
        try {
            ByteBuffer frame = Frames.wrap(new byte[0]);
            if (socket.write(frame) > 0) {
                // Half a frame would break the channel.
                write(frame);
            }
        } catch (IOException e) {
            LoggerFactory.getLogger(Channel.class).debug("No sign of life can be sent", e);
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

    /** Wait for the next message; {@code null} at the end of the stream. Requires a blocking socket. */
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

    /** Read the bytes that have arrived. Returns their number, or -1 at the end of the stream. */
    public int fill() throws IOException {
        incoming.clear();
        int count = socket.read(incoming);
        frames.add(incoming.flip());
        return count;
    }

    /** Get the next message that has arrived completely, or {@code null}. */
    public <T> @Nullable T next(Class<T> declared) throws IOException {
        byte[] frame = frames.next();
        while (frame != null && frame.length == 0) {
            onSign.run();
            frame = frames.next();
        }
        return frame == null ? null : codec.decode(frame, declared);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
