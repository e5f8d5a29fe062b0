package org.rankunit.engine.link;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.rankunit.engine.control.Channel;
import org.rankunit.engine.control.FromRank;
import org.rankunit.engine.control.RecordCodec;
import org.rankunit.engine.control.ToRank;
import org.rankunit.engine.launch.RankLog;

/** The parent's end of the control channels of some ranks that say what a test lets them say; each has a real process. */
public final class PlayedRanks implements AutoCloseable {

    private static final String TOKEN = "token";

    private final List<Process> processes = new ArrayList<>();
    private final List<Channel> channels = new ArrayList<>();
    private final RankLinks links;

    /** Starts them, and hears their first words. */
    public PlayedRanks(int count, Path folder) throws IOException {
        Path control = folder.resolve("control");
        links = new RankLinks(control, TOKEN);
        for (int rank = 0; rank < count; rank++) {
            Process process = new ProcessBuilder("sleep", "1000").start();
            processes.add(process);
            links.add(new RankLink(
                    rank,
                    10 + rank,
                    process,
                    new RankLog(folder.resolve("log-" + rank)),
                    folder.resolve("crash-" + rank)));
            channels.add(new Channel(SocketChannel.open(UnixDomainSocketAddress.of(control)), new RecordCodec()));
            say(rank, new FromRank.Hello(Channel.PROTOCOL, rank, TOKEN));
            next();
        }
    }

    public RankLinks links() {
        return links;
    }

    /** The next thing that happens within 20 s. */
    public RankSignal next() throws IOException {
        RankSignal signal = links.next(System.nanoTime() + TimeUnit.SECONDS.toNanos(20));
        if (signal == null) {
            throw new AssertionError("nothing has happened in 20 s");
        }
        return signal;
    }

    public void say(int rank, FromRank message) throws IOException {
        channels.get(rank).send((Record) message, FromRank.class);
    }

    /** What the parent says next to a rank that answers nothing by itself. */
    public ToRank hear(int rank) throws IOException {
        ToRank message = channels.get(rank).receive(ToRank.class);
        if (message == null) {
            throw new AssertionError("the parent has hung up on rank " + rank);
        }
        return message;
    }

    public Process process(int rank) {
        return processes.get(rank);
    }

    @Override
    public void close() throws IOException {
        processes.forEach(Process::destroyForcibly);
        for (Channel channel : channels) {
            channel.close();
        }
        links.close();
    }
}
