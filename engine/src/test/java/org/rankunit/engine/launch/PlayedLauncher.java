package org.rankunit.engine.launch;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;
import org.rankunit.engine.launch.PlayedProcess.News;
import org.rankunit.engine.protocol.FromRank;
import org.rankunit.engine.protocol.ToRank;
import org.rankunit.engine.protocol.place.DeviceRef;
import org.rankunit.engine.protocol.wire.Channel;
import org.rankunit.engine.protocol.wire.RecordCodec;

/** Starts ranks that a test plays, and says that they are on whatever nodes the test wants. */
public final class PlayedLauncher implements RankLauncher {

    private final Path folder;
    private final IntFunction<String> nodes;
    private final News news;
    private final Map<Integer, Script> scripts;
    private final Map<Integer, Throwable> broken = new ConcurrentHashMap<>();
    private final List<PlayedProcess> processes = new ArrayList<>();

    /** What a rank does once it is up and was told which tests to run. */
    public interface Script {

        void play(Voice voice) throws IOException;
    }

    /** What one rank can say and hear. */
    public static final class Voice {

        private final Channel channel;
        private final PlayedProcess process;

        private Voice(Channel channel, PlayedProcess process) {
            this.channel = channel;
            this.process = process;
        }

        public void say(FromRank message) throws IOException {
            channel.send((Record) message, FromRank.class);
        }

        /** Pass by all messages until there is one of this type. */
        public <T extends ToRank> T hear(Class<T> type) throws IOException {
            ToRank message = channel.receive(ToRank.class);
            while (message != null && !type.isInstance(message)) {
                message = channel.receive(ToRank.class);
            }
            if (message == null) {
                throw new IOException("the parent has closed the connection before it sent " + type.getSimpleName());
            }
            return type.cast(message);
        }

        /** End the process as a SIGKILL does. */
        public void die() throws IOException {
            process.kill();
            channel.close();
        }
    }

    /**
     * Prepare to start ranks.
     *
     * @param nodes the node of each rank
     * @param scripts what each rank does
     */
    public PlayedLauncher(Path folder, IntFunction<String> nodes, News news, Map<Integer, Script> scripts) {
        this.folder = folder;
        this.nodes = nodes;
        this.news = news;
        this.scripts = scripts;
    }

    @Override
    public LaunchedRanks start(GroupLaunch group) throws IOException {
        for (int rank = 0; rank < group.devices().size(); rank++) {
            DeviceRef device =
                    new DeviceRef(nodes.apply(rank), group.devices().get(rank).id());
            PlayedProcess process = new PlayedProcess(rank, device, folder, news);
            processes.add(process);
            Thread thread = new Thread(() -> live(group, process), "played-rank-" + rank);
            thread.setDaemon(true);
            thread.start();
        }
        return new LaunchedRanks() {
            @Override
            public List<PlayedProcess> all() {
                return processes;
            }

            @Override
            public void end(Runnable ask, Duration grace) {
                ask.run();
                processes.forEach(PlayedProcess::kill);
            }
        };
    }

    private void live(GroupLaunch group, PlayedProcess process) {
        try (Channel channel = new Channel(group.control().connect(), new RecordCodec())) {
            Voice voice = new Voice(channel, process);
            voice.say(new FromRank.Hello(Channel.PROTOCOL, process.rank(), group.token()));
            voice.hear(ToRank.BringUp.class);
            voice.say(new FromRank.BroughtUp(0, 0, 0, true));
            voice.hear(ToRank.RunTests.class);
            voice.say(new FromRank.Begun());
            Script script = scripts.get(process.rank());
            if (script == null) {
                throw new IllegalStateException("rank " + process.rank() + " has nothing to play");
            }
            script.play(voice);
            // The channel stays open for as long as the group lives.
            if (process.exitStatus().isEmpty() && channel.socket().isOpen()) {
                voice.hear(ToRank.Shutdown.class);
            }
        } catch (IOException | RuntimeException | Error e) {
            broken.put(process.rank(), e);
        }
    }

    /** The ranks that could not do what they were to do. */
    public Map<Integer, Throwable> broken() {
        return broken;
    }

    public PlayedProcess process(int rank) {
        return processes.get(rank);
    }
}
