package org.rankunit.engine.protocol.wire;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.engine.protocol.FromRank;
import org.rankunit.engine.protocol.ToRank;

@Tag("unit")
@Timeout(60)
class ChannelTest {

    private Channel parent;
    private Channel rank;

    @BeforeEach
    void connect(@TempDir Path folder) throws IOException {
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(folder.resolve("control"));
        RecordCodec codec = new RecordCodec();
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(address);
            rank = new Channel(SocketChannel.open(address), codec);
            parent = new Channel(server.accept(), codec);
        }
    }

    @AfterEach
    void close() throws IOException {
        rank.close();
        parent.close();
    }

    @Test
    void messagesArriveInTheirOrder() throws IOException {
        List<FromRank> sent = new ArrayList<>();
        List<FromRank> received = new ArrayList<>();
        Messages random = new Messages(1);
        for (int i = 0; i < 50; i++) {
            FromRank message = (FromRank) random.next(FromRank.class);
            sent.add(message);
            rank.send((Record) message, FromRank.class);
            received.add(parent.receive(FromRank.class));
        }

        assertThat(received).isEqualTo(sent);
    }

    @Test
    void aMessageLargerThanTheSocketsBuffersArrivesWhole() throws Exception {
        FromRank.Evidence large = new FromRank.Evidence("x".repeat(5 << 20), "", List.of());

        Object received = beside(() -> parent.receive(FromRank.class), () -> rank.send(large, FromRank.class));

        assertThat(received).isEqualTo(large);
    }

    @Test
    void aMessageIsSentWholeAlsoThroughASocketThatDoesNotBlock() throws Exception {
        parent.socket().configureBlocking(false);
        ToRank.Release large = new ToRank.Release(1, "y".repeat(5 << 20));

        Object received = beside(() -> rank.receive(ToRank.class), () -> parent.send(large, ToRank.class));

        assertThat(received).isEqualTo(large);
    }

    @Test
    void messagesOfSeveralThreadsDoNotMix() throws Exception {
        int each = 200;
        List<Callable<Boolean>> senders = new ArrayList<>();
        for (int sender = 0; sender < 4; sender++) {
            FromRank.Evidence message =
                    new FromRank.Evidence(String.valueOf(sender).repeat(1000), "", List.of());
            senders.add(() -> {
                for (int i = 0; i < each; i++) {
                    rank.send(message, FromRank.class);
                }
                return true;
            });
        }

        List<Object> received = beside(
                () -> {
                    List<Object> all = new ArrayList<>();
                    for (int i = 0; i < senders.size() * each; i++) {
                        all.add(parent.receive(FromRank.class));
                    }
                    return all;
                },
                () -> {
                    ExecutorService threads = Executors.newFixedThreadPool(senders.size());
                    for (Future<Boolean> done : threads.invokeAll(senders)) {
                        done.get();
                    }
                    threads.shutdown();
                });

        assertThat(received)
                .allMatch(
                        m -> m instanceof FromRank.Evidence s && s.mainThread().matches("(\\d)\\1{999}"));
    }

    @Test
    void theEndOfTheStreamIsNoMessage() throws IOException {
        rank.close();

        assertThat(parent.receive(FromRank.class)).isNull();
    }

    @Test
    void whatArrivedBeforeTheEndIsStillHeard() throws IOException {
        rank.send(new FromRank.RunEnded(), FromRank.class);
        rank.close();

        assertThat(parent.receive(FromRank.class)).isEqualTo(new FromRank.RunEnded());
    }

    @Test
    void aMessageThatIsTooLargeIsRefusedBeforeItIsSentAndTheNextOneArrives() throws IOException {
        FromRank.Evidence tooLarge = new FromRank.Evidence("z".repeat(Limits.MESSAGE_BYTES), "", List.of());

        assertThatThrownBy(() -> rank.send(tooLarge, FromRank.class))
                .isInstanceOf(UnsendableException.class)
                .hasMessage("cannot send Evidence: a message of 16777278 bytes; at most 16777216 are allowed");

        rank.send(new FromRank.RunEnded(), FromRank.class);
        assertThat(parent.receive(FromRank.class)).isEqualTo(new FromRank.RunEnded());
    }

    @Test
    void aMessageThatClaimsToBeTooLargeIsRefusedByTheReceiver() throws IOException {
        rank.socket().write(ByteBuffer.allocate(4).putInt(1 << 30).flip());

        assertThatThrownBy(() -> parent.receive(FromRank.class))
                .isInstanceOf(IOException.class)
                .hasMessage("a message of 1073741824 bytes; at most 16777216 are allowed");
    }

    private interface Action {

        void run() throws Exception;
    }

    /** Do one thing on another thread while this one does the other. */
    private static <T> T beside(Callable<T> there, Action here) throws Exception {
        ExecutorService other = Executors.newSingleThreadExecutor();
        try {
            Future<T> result = other.submit(there);
            here.run();
            return result.get(30, SECONDS);
        } finally {
            other.shutdownNow();
        }
    }
}
