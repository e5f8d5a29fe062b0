package org.rankunit.engine.rank;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.platform.engine.TestEngine;
import org.rankunit.engine.protocol.BufferSpec;
import org.rankunit.engine.protocol.DeviceRef;
import org.rankunit.engine.protocol.FromRank;
import org.rankunit.engine.protocol.TestDeclaration;
import org.rankunit.engine.protocol.TestSelection;
import org.rankunit.engine.protocol.ToRank;
import org.rankunit.engine.protocol.wire.Channel;
import org.rankunit.engine.protocol.wire.ControlAddress;
import org.rankunit.engine.protocol.wire.RecordCodec;
import org.rankunit.engine.rank.parent.Introduction;
import org.rankunit.engine.rank.parent.ParentWatch;

/**
 * Runs one rank with a few tests, and its parent, in one JVM. When the JVM exits, it writes an archive of the classes that it has
 * loaded, so a real rank finds the classes that it loads in that archive.
 *
 * <p>Argument: a folder for the socket and the rendezvous file of the rank.
 */
public final class ClassArchiveWarmUp {

    private static final String CASE = "[engine:junit-jupiter]/[class:" + TrainingCase.class.getName() + "]/[method:";
    private static final String PASSES = CASE + "passes(org.rankunit.RankContext)]";
    private static final String FAILS = CASE + "throwsAnError()]";
    private static final String REFUSED = CASE + "wouldBeNext()]";

    private ClassArchiveWarmUp() {}

    /** Run the rank until it ends. */
    public static void main(String[] args) throws IOException, IllegalAccessException {
        // This JVM has another main class. Without this line, classes that only a real rank loads would have to be read
        // from its
        // jar.
        MethodHandles.lookup().ensureInitialized(RankMain.class);
        ParentWatch.start(System.in);
        Path folder = Path.of(args[0]);
        Path socket = folder.resolve("training");
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(socket));
            Thread parent = new Thread(() -> playParent(server, folder));
            parent.setDaemon(true);
            parent.start();
            FromRank.Hello hello = new FromRank.Hello(Channel.PROTOCOL, 0, "");
            try (Introduction rank = Introduction.to(new ControlAddress.OfFile(socket), hello, channel -> {})) {
                ToRank first = rank.awaitFirst();
                RankServer.serve(0, rank.channel(), first, false);
            }
        }
    }

    private static String jupiter() {
        for (TestEngine engine : ServiceLoader.load(TestEngine.class)) {
            if (engine.getId().equals("junit-jupiter")) {
                return engine.getClass().getName();
            }
        }
        throw new IllegalStateException("Jupiter's engine is not on the class path");
    }

    private static void playParent(ServerSocketChannel server, Path folder) {
        try (Channel channel = new Channel(server.accept(), new RecordCodec())) {
            Parent parent = new Parent(channel, folder);
            for (FromRank m = channel.receive(FromRank.class); m != null; m = channel.receive(FromRank.class)) {
                m.accept(parent);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The parent's answers; most messages need none. */
    private record Parent(Channel channel, Path folder) implements FromRank.Visitor<IOException> {

        private void answer(ToRank message) throws IOException {
            channel.send((Record) message, ToRank.class);
        }

        @Override
        public void hello(FromRank.Hello message) throws IOException {
            answer(new ToRank.BringUp(
                    "a2a3sim",
                    "",
                    1,
                    List.of(DeviceRef.here(0)),
                    0,
                    0,
                    jupiter(),
                    folder.resolve("training-root").toString(),
                    true,
                    null,
                    "BY_LIBRARY",
                    1 << 20,
                    10_000,
                    10_000,
                    10_000,
                    Map.of(),
                    Map.of(),
                    Map.of("training", "true"),
                    Map.of("training", "true"),
                    false,
                    false,
                    null,
                    folder.resolve("training-kernels").toString(),
                    null));
        }

        @Override
        public void broughtUp(FromRank.BroughtUp message) throws IOException {
            BufferSpec window = new BufferSpec("x", "FLOAT32", 16, "WINDOW", 0, 64);
            BufferSpec device = new BufferSpec("y", "FLOAT32", 16, "DEVICE", 0, 64);
            answer(new ToRank.RunTests(
                    List.of(selection(PASSES, window, device), selection(FAILS), selection(REFUSED))));
        }

        @Override
        public void bringUpFailed(FromRank.BringUpFailed message) throws IOException {
            answer(new ToRank.Shutdown());
        }

        @Override
        public void entering(FromRank.Entering message) throws IOException {
            answer(new ToRank.Enter(message.uniqueId(), !message.uniqueId().equals(REFUSED)));
        }

        @Override
        public void ended(FromRank.Ended message) throws IOException {
            if (message.outcome().isFailure()) {
                answer(new ToRank.Release(0, "training"));
            }
        }

        @Override
        public void runEnded(FromRank.RunEnded message) throws IOException {
            answer(new ToRank.Shutdown());
        }

        @Override
        public void rootInfo(FromRank.RootInfo message) {}

        @Override
        public void deviceOpened(FromRank.DeviceOpened message) {}

        @Override
        public void begun(FromRank.Begun message) {}

        @Override
        public void threadsLeft(FromRank.ThreadsLeft message) {}

        @Override
        public void registered(FromRank.Registered message) {}

        @Override
        public void started(FromRank.Started message) {}

        @Override
        public void shaken(FromRank.Shaken message) {}

        @Override
        public void rounds(FromRank.Rounds message) {}

        @Override
        public void ranCollective(FromRank.RanCollective message) {}

        @Override
        public void reported(FromRank.Reported message) {}

        @Override
        public void kernelLate(FromRank.KernelLate message) {}

        @Override
        public void unfit(FromRank.Unfit message) {}

        @Override
        public void whereabouts(FromRank.Whereabouts message) {}

        @Override
        public void seen(FromRank.Seen message) {}

        @Override
        public void evidence(FromRank.Evidence message) {}
    }

    private static TestSelection selection(String test, BufferSpec... buffers) {
        return new TestSelection(test, List.of(test), List.of(buffers), TestDeclaration.plain(test, 1));
    }
}
