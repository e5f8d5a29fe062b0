package org.rankunit.engine.link;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.rankunit.engine.launch.PlayedProcess;
import org.rankunit.engine.protocol.DeviceRef;
import org.rankunit.engine.protocol.FromRank;
import org.rankunit.engine.protocol.ToRank;
import org.rankunit.engine.protocol.wire.Channel;
import org.rankunit.engine.protocol.wire.RecordCodec;

/** The parent's end of the control channels of some ranks that say what a test lets them say; each has a real process. */
public final class PlayedRanks implements AutoCloseable {

    private static final String TOKEN = "token";

    private final List<PlayedProcess> processes = new ArrayList<>();
    private final List<Channel> channels = new ArrayList<>();
    private final List<String> broken = new CopyOnWriteArrayList<>();
    private final RankLinks links;

    /** Starts ranks of this machine, and hears their first words. */
    public PlayedRanks(int count, Path folder) throws IOException {
        Path control = folder.resolve("control");
        links = new RankLinks(control, TOKEN);
        for (int rank = 0; rank < count; rank++) {
            PlayedProcess process =
                    new PlayedProcess(rank, DeviceRef.here(10 + rank), folder, PlayedProcess.News.AT_ONCE);
            processes.add(process);
            links.add(new RankLink(process));
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

    /**
     * Let a rank begin its tests and say all this, on a thread of its own. Where it asks to enter a test it waits for the answer.
     *
     * @param evidence what it says when it is asked where it is
     */
    public void play(int rank, List<FromRank> script, FromRank... evidence) {
        Thread thread = new Thread(() -> {
            try {
                say(rank, new FromRank.Begun());
                for (FromRank message : script) {
                    say(rank, message);
                    if (message instanceof FromRank.Entering) {
                        hearUntilAnswered(rank, evidence);
                    }
                }
                hearUntilAnswered(rank, evidence);
            } catch (IOException e) {
                broken.add("rank " + rank + " broke: " + e);
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private void hearUntilAnswered(int rank, FromRank... evidence) throws IOException {
        Channel channel = channels.get(rank);
        ToRank heard = channel.receive(ToRank.class);
        while (heard != null && !(heard instanceof ToRank.Enter)) {
            if (heard instanceof ToRank.ShowEvidence) {
                for (FromRank answer : evidence) {
                    say(rank, answer);
                }
            }
            heard = channel.receive(ToRank.class);
        }
    }

    /** The ranks that could not say what they were to say, with the reason. */
    public List<String> broken() {
        return broken;
    }

    public void kill(int rank) {
        processes.get(rank).kill();
    }

    @Override
    public void close() throws IOException {
        processes.forEach(PlayedProcess::kill);
        for (Channel channel : channels) {
            channel.close();
        }
        links.close();
    }
}
