package org.rankunit.engine.slurm.files;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * What arrives over a connection. The reader can set a time by which something must have arrived as a whole, however often a
 * part of it does. Not thread-safe.
 */
final class TimedInput extends InputStream {

    private final Socket socket;
    private final InputStream in;
    private final LongSupplier clock;
    private boolean isTimed;
    private long deadline;

    /** @param clock counts as {@link System#nanoTime()} does */
    TimedInput(Socket socket, LongSupplier clock) throws IOException {
        this.socket = socket;
        this.in = socket.getInputStream();
        this.clock = clock;
    }

    /** What is read from now on must arrive within this time, until {@link #takeAnyTime}. */
    void takeAtMost(Duration time) {
        isTimed = true;
        deadline = clock.getAsLong() + time.toNanos();
    }

    void takeAnyTime() {
        isTimed = false;
    }

    @Override
    public int read() throws IOException {
        awaitAtMostTheRest();
        return in.read();
    }

    /** @throws SocketTimeoutException if the time is over */
    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        awaitAtMostTheRest();
        return in.read(target, offset, length);
    }

    private void awaitAtMostTheRest() throws IOException {
        if (!isTimed) {
            socket.setSoTimeout(0);
            return;
        }
        long left = deadline - clock.getAsLong();
        if (left <= 0) {
            throw new SocketTimeoutException("it has not arrived in time");
        }
        socket.setSoTimeout(Math.toIntExact(left / 1_000_000 + 1));
    }
}
