package org.rankunit.engine.protocol.wire;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.rankunit.engine.protocol.FromRank;

/** Signs of life between messages, over a port as between nodes. */
@Tag("unit")
@Timeout(60)
class ChannelSignsTest {

    private static final FromRank.Begun BEGUN = new FromRank.Begun();

    private final AtomicInteger signs = new AtomicInteger();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private Channel parent;
    private Channel rank;

    @BeforeEach
    void connect() throws IOException {
        ControlAddress any = new ControlAddress.OfPort("127.0.0.1", 0);
        RecordCodec codec = new RecordCodec();
        try (ServerSocketChannel server = any.listen()) {
            rank = new Channel(any.reachedAt(server).connect(), codec);
            parent = new Channel(server.accept(), codec);
        }
        parent.onSign(signs::incrementAndGet);
    }

    @AfterEach
    void close() throws IOException {
        rank.close();
        parent.close();
        threads.shutdownNow();
    }

    @Test
    void aSignIsNoMessage() throws IOException {
        rank.trySign();
        rank.trySign();
        rank.send(BEGUN, FromRank.class);
        rank.trySign();
        rank.close();

        assertThat(parent.receive(FromRank.class)).isEqualTo(BEGUN);
        assertThat(signs).hasValue(2);
        assertThat(parent.receive(FromRank.class)).isNull();
        assertThat(signs).hasValue(3);
    }

    @Test
    void withoutAnyActionASignIsIgnored() throws IOException {
        parent.trySign();
        parent.send(BEGUN, FromRank.class);

        assertThat(rank.receive(FromRank.class)).isEqualTo(BEGUN);
    }

    @Test
    void noSignIsSentOverAClosedChannel() throws IOException {
        rank.close();

        rank.trySign();

        assertThat(parent.receive(FromRank.class)).isNull();
        assertThat(signs).hasValue(0);
    }

    @RepeatedTest(20)
    void messagesOfAnySizeArriveAmongSignsInTheirOrder(RepetitionInfo repetition) throws Exception {
        Random random = new Random(repetition.getCurrentRepetition());
        List<FromRank> sent = new ArrayList<>();
        List<Integer> signsBefore = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            sent.add(new FromRank.Evidence("m" + i, "x".repeat(1 << random.nextInt(18)), List.of()));
            signsBefore.add(random.nextInt(4));
        }
        Future<?> sender = threads.submit(() -> {
            for (int i = 0; i < sent.size(); i++) {
                for (int sign = 0; sign < signsBefore.get(i); sign++) {
                    rank.trySign();
                }
                rank.send((Record) sent.get(i), FromRank.class);
            }
            return null;
        });

        int expected = 0;
        for (int i = 0; i < sent.size(); i++) {
            expected += signsBefore.get(i);
            assertThat(parent.receive(FromRank.class)).isEqualTo(sent.get(i));
            assertThat(signs).hasValue(expected);
        }
        sender.get(20, SECONDS);
    }

    @Test
    void messagesOfSeveralThreadsStayWholeAmongSigns() throws Exception {
        int each = 100;
        AtomicBoolean isDone = new AtomicBoolean();
        Future<?> signing = threads.submit(() -> {
            while (!isDone.get()) {
                rank.trySign();
            }
        });
        List<Future<?>> senders = new ArrayList<>();
        for (int sender = 0; sender < 3; sender++) {
            FromRank.Evidence message =
                    new FromRank.Evidence(String.valueOf(sender).repeat(20_000), "", List.of());
            senders.add(threads.submit(() -> {
                for (int i = 0; i < each; i++) {
                    rank.send(message, FromRank.class);
                }
                return null;
            }));
        }

        for (int i = 0; i < senders.size() * each; i++) {
            assertThat(parent.receive(FromRank.class))
                    .isInstanceOfSatisfying(
                            FromRank.Evidence.class,
                            evidence -> assertThat(evidence.mainThread()).matches("(\\d)\\1{19999}"));
        }
        isDone.set(true);
        signing.get(20, SECONDS);
        for (Future<?> sender : senders) {
            sender.get(20, SECONDS);
        }
    }

    @Test
    void aSignIsLeftOutWhileAMessageIsBeingSent() throws Exception {
        rank.socket().setOption(StandardSocketOptions.SO_SNDBUF, 64 << 10);
        parent.socket().setOption(StandardSocketOptions.SO_RCVBUF, 64 << 10);
        CountDownLatch hasBegun = new CountDownLatch(1);
        FromRank.Evidence large = new FromRank.Evidence("y".repeat(12 << 20), "", List.of());
        Future<?> sender = threads.submit(() -> {
            hasBegun.countDown();
            rank.send(large, FromRank.class);
            return null;
        });
        assertThat(hasBegun.await(20, SECONDS)).isTrue();
        // Nobody reads the rest, so that the message is being sent until then.
        assertThat(parent.fill()).isPositive();

        rank.trySign();

        assertThat(sender.isDone()).isFalse();
        assertThat(parent.receive(FromRank.class)).isEqualTo(large);
        sender.get(20, SECONDS);
        assertThat(signs).hasValue(0);
    }

    @Test
    void aSignForWhichThereIsNoRoomIsLeftOutAndNotSentByHalf() throws IOException {
        rank.socket().configureBlocking(false);
        ByteBuffer zeros = ByteBuffer.allocate(1 << 20);
        long written = 0;
        for (int count = rank.socket().write(zeros);
                count > 0;
                count = rank.socket().write(zeros.clear())) {
            written += count;
        }

        rank.trySign();

        rank.close();
        long arrived = 0;
        ByteBuffer read = ByteBuffer.allocate(1 << 16);
        for (int count = parent.socket().read(read);
                count >= 0;
                count = parent.socket().read(read.clear())) {
            arrived += count;
        }
        assertThat(arrived - written).isIn(0L, (long) Integer.BYTES);
    }
}
