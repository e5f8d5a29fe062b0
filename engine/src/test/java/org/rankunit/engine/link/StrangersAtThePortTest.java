package org.rankunit.engine.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.engine.launch.PlayedProcess;
import org.rankunit.engine.protocol.DeviceRef;
import org.rankunit.engine.protocol.FromRank;
import org.rankunit.engine.protocol.wire.Channel;
import org.rankunit.engine.protocol.wire.ControlAddress;
import org.rankunit.engine.protocol.wire.Frames;
import org.rankunit.engine.protocol.wire.Limits;
import org.rankunit.engine.protocol.wire.Newcomers;
import org.rankunit.engine.protocol.wire.RecordCodec;

/** Strangers at the port to which ranks of other nodes connect, and the rank that must get in all the same. */
@Tag("ranks")
@Timeout(60)
class StrangersAtThePortTest {

    private static final String TOKEN = "token";

    private final List<AutoCloseable> opened = new ArrayList<>();
    private long ahead;
    private PlayedProcess process;
    private RankLinks links;

    @BeforeEach
    void listen(@TempDir Path folder) throws IOException {
        process = new PlayedProcess(0, new DeviceRef("node1", 0), folder, PlayedProcess.News.AT_ONCE);
        links = new RankLinks(
                new ControlAddress.OfPort("127.0.0.1", 0),
                TOKEN,
                Optional.of(Duration.ofDays(1)),
                () -> System.nanoTime() + ahead);
        opened.add(links);
        links.add(new RankLink(process));
    }

    @AfterEach
    void end() throws Exception {
        process.kill();
        for (AutoCloseable each : opened) {
            each.close();
        }
    }

    @Test
    void ofManyThatSayNothingTheOldestGoAndTheRankGetsIn() throws IOException {
        List<SocketChannel> strangers = new ArrayList<>();
        for (int i = 0; i < Newcomers.MAX_OF_ADDRESS + 3; i++) {
            strangers.add(connect());
            look();
        }
        Channel rank = join();

        // The rank has taken the place of one more.
        for (SocketChannel each : strangers.subList(0, 4)) {
            assertThat(isEnded(each)).isTrue();
        }
        for (SocketChannel each : strangers.subList(4, strangers.size())) {
            each.configureBlocking(false);
            assertThat(each.read(ByteBuffer.allocate(1))).isZero();
        }
        assertThat(links.refusedStrangers())
                .hasValueSatisfying(text -> assertThat(text)
                        .startsWith("4 unidentified connections were refused (4 from 127.0.0.1), the last because"));
        saysMuch(rank);
    }

    @Test
    void aRankThatHasSaidWhoItIsDoesNotGiveWayThoughItIsTheOldest() throws IOException {
        SocketChannel rank = connect();
        look();
        for (int i = 1; i < Newcomers.MAX_OF_ADDRESS; i++) {
            connect();
            look();
        }
        Channel channel = new Channel(rank, new RecordCodec());
        connect();
        channel.send(hello(), FromRank.class);

        assertThat(next()).isInstanceOf(RankSignal.Said.class);
        saysMuch(channel);
    }

    @Test
    void whoSaysOneByteAfterTheOtherHasNoMoreTimeThanWhoSaysNothing() throws IOException {
        SocketChannel stranger = connect();
        ByteBuffer words = Frames.wrap(new RecordCodec().encode(hello(), FromRank.class));
        long step = PendingConnections.PATIENCE.toNanos() / 4;
        look();
        for (int i = 0; i < 3; i++) {
            ahead += step;
            stranger.write(ByteBuffer.wrap(new byte[] {words.get()}));
            look();
        }
        stranger.configureBlocking(false);
        assertThat(stranger.read(ByteBuffer.allocate(1))).isZero();
        stranger.configureBlocking(true);

        ahead += step;
        stranger.write(ByteBuffer.wrap(new byte[] {words.get()}));
        look();

        assertThat(isEnded(stranger)).isTrue();
        assertThat(links.refusedStrangers())
                .contains("1 unidentified connection was refused (1 from 127.0.0.1), the last because it did not"
                        + " identify itself within 5 s");
        saysMuch(join());
    }

    @Test
    void whatHasArrivedIsHeardThoughTheTimeToSayItIsOver() throws IOException {
        SocketChannel socket = connect();
        look();
        Channel rank = new Channel(socket, new RecordCodec());
        rank.send(hello(), FromRank.class);
        ahead += 2 * PendingConnections.PATIENCE.toNanos();

        assertThat(next()).isInstanceOf(RankSignal.Said.class);
        saysMuch(rank);
    }

    @Test
    void aLargeFirstMessageIsRefusedByItsLengthAlone() throws IOException {
        for (int length : new int[] {Limits.FIRST_MESSAGE_BYTES + 1, Limits.MESSAGE_BYTES, Integer.MAX_VALUE, -1}) {
            SocketChannel stranger = connect();
            stranger.write(ByteBuffer.allocate(4).putInt(length).flip());
            awaitRefused("the last because a message of " + Integer.toUnsignedString(length)
                    + " bytes; at most 4096 are allowed");
            assertThat(isEnded(stranger)).isTrue();
        }
        saysMuch(join());
    }

    @Test
    void garbageIsRefused() throws IOException {
        SocketChannel stranger = connect();
        stranger.write(Frames.wrap("GET / HTTP/1.1".getBytes(StandardCharsets.UTF_8)));
        awaitRefused("1 from 127.0.0.1");

        assertThat(isEnded(stranger)).isTrue();
        saysMuch(join());
    }

    private SocketChannel connect() throws IOException {
        SocketChannel socket = ControlAddress.of(links.address().toString()).connect();
        opened.add(socket);
        return socket;
    }

    private Channel join() throws IOException {
        Channel rank = new Channel(connect(), new RecordCodec());
        rank.send(hello(), FromRank.class);
        assertThat(next())
                .isInstanceOfSatisfying(
                        RankSignal.Said.class,
                        said -> assertThat(said.message()).isEqualTo(hello()));
        return rank;
    }

    private static FromRank.Hello hello() {
        return new FromRank.Hello(Channel.PROTOCOL, 0, TOKEN);
    }

    /** Once a rank is known, it may send messages of any size. */
    private void saysMuch(Channel rank) throws IOException {
        FromRank.Evidence much = new FromRank.Evidence("x".repeat(100_000), "", List.of());
        rank.send(much, FromRank.class);
        assertThat(next())
                .isInstanceOfSatisfying(
                        RankSignal.Said.class,
                        said -> assertThat(said.message()).isEqualTo(much));
    }

    private RankSignal next() throws IOException {
        RankSignal signal = links.next(in(20));
        if (signal == null) {
            throw new AssertionError("nothing has happened in 20 s");
        }
        return signal;
    }

    /** Let the parent hear what has arrived. */
    private void look() throws IOException {
        assertThat(links.next(System.nanoTime())).isNull();
    }

    private void awaitRefused(String text) throws IOException {
        long deadline = in(20);
        while (!links.refusedStrangers().orElse("").contains(text) && System.nanoTime() - deadline < 0) {
            assertThat(links.next(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(5)))
                    .isNull();
        }
        assertThat(links.refusedStrangers().orElse("")).contains(text);
    }

    /** Whether the parent has hung up. */
    private static boolean isEnded(SocketChannel socket) {
        try {
            return socket.read(ByteBuffer.allocate(1)) < 0;
        } catch (IOException e) {
            return true;
        }
    }

    private static long in(int seconds) {
        return System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    }
}
