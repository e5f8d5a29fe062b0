package org.rankunit.engine.rank.parent;

import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;
import org.rankunit.engine.protocol.FromRank;
import org.rankunit.engine.protocol.ToRank;
import org.rankunit.engine.protocol.wire.Channel;
import org.rankunit.engine.protocol.wire.ControlAddress;
import org.rankunit.engine.protocol.wire.RecordCodec;
import org.rankunit.engine.rank.evidence.RankConsole;

/**
 * How a rank joins its parent: it connects, says who it is, and waits for the parent's first message. If the parent hangs up before
 * that, the rank tries again: strangers that connect at the same time can take its place. Not thread-safe.
 */
public final class Introduction implements AutoCloseable {

    /** How often to try. A parent that refuses this rank for what it says does so each time. */
    static final int TRIES = 6;

    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);

    private final ControlAddress parent;
    private final FromRank.Hello hello;
    private final Consumer<Channel> connected;
    private final Pause pause;
    private final RecordCodec codec = new RecordCodec();
    private Channel channel;

    /** Waits before another try. */
    interface Pause {

        void last(Duration time) throws InterruptedException;
    }

    private Introduction(ControlAddress parent, FromRank.Hello hello, Consumer<Channel> connected, Pause pause)
            throws IOException {
        this.parent = parent;
        this.hello = hello;
        this.connected = connected;
        this.pause = pause;
        // The first use takes long, and a process that has connected must soon identify itself.
        codec.encode(hello, FromRank.class);
        this.channel = connect();
    }

    /**
     * Connect for the first time.
     *
     * @param connected is told of each channel before anything is heard there
     */
    public static Introduction to(ControlAddress parent, FromRank.Hello hello, Consumer<Channel> connected)
            throws IOException {
        return to(parent, hello, connected, time -> Thread.sleep(time.toMillis()));
    }

    /** The same with other pauses between the tries. */
    static Introduction to(ControlAddress parent, FromRank.Hello hello, Consumer<Channel> connected, Pause pause)
            throws IOException {
        return new Introduction(parent, hello, connected, pause);
    }

    private Channel connect() throws IOException {
        Channel fresh = new Channel(parent.connect(), codec);
        connected.accept(fresh);
        return fresh;
    }

    /**
     * Say who this is and wait for the parent's first message, if necessary over new connections.
     *
     * @throws IOException if the parent is gone, or has hung up each time
     */
    public ToRank awaitFirst() throws IOException {
        Duration time = FIRST_PAUSE;
        for (int left = TRIES - 1; ; left--) {
            try {
                return hearFirst();
            } catch (IOException e) {
                if (left == 0) {
                    throw e;
                }
                RankConsole.err().println("rankunit: connecting to the parent again: " + e.getMessage());
                reconnect(time, e);
                time = time.multipliedBy(2);
            }
        }
    }

    private ToRank hearFirst() throws IOException {
        channel.send(hello, FromRank.class);
        ToRank first = channel.receive(ToRank.class);
        if (first == null) {
            throw new IOException("the parent closed the connection before it sent anything");
        }
        return first;
    }

    /** If nothing listens any more, the parent is gone, and the old connection broke because of that. */
    private void reconnect(Duration time, IOException broke) throws IOException {
        channel.close();
        try {
            pause.last(time);
            channel = connect();
        } catch (IOException e) {
            broke.addSuppressed(e);
            throw broke;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw broke;
        }
    }

    /** The channel over which the parent has been heard. */
    public Channel channel() {
        return channel;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
