package org.rankunit.engine.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.engine.launch.PlayedProcess;
import org.rankunit.engine.protocol.DeviceRef;
import org.rankunit.engine.protocol.FromRank;
import org.rankunit.engine.protocol.ToRank;
import org.rankunit.engine.protocol.wire.Channel;
import org.rankunit.engine.protocol.wire.ControlAddress;
import org.rankunit.engine.protocol.wire.RecordCodec;

/** The parent's end of control channels of ranks on other nodes, which connect to a port. */
@Tag("ranks")
@Timeout(60)
class LinksToNodesTest {

    private static final String TOKEN = "token";
    private static final Duration AT_ONCE = Duration.ZERO;
    private static final Duration NEVER = Duration.ofDays(1);

    private final ByteArrayOutputStream logged = new ByteArrayOutputStream();
    private final PrintStream err = System.err;
    private final List<AutoCloseable> opened = new ArrayList<>();
    private PlayedProcess process;
    private RankLinks links;

    @BeforeEach
    void start(@TempDir Path folder) throws IOException {
        process = new PlayedProcess(0, new DeviceRef("node1", 0), folder, PlayedProcess.News.AT_ONCE);
        links = listen(NEVER);
        System.setErr(new PrintStream(logged, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void end() throws Exception {
        System.setErr(err);
        process.kill();
        for (AutoCloseable each : opened) {
            each.close();
        }
    }

    @Test
    void aRankConnectsToThePortThatTheParentGot() throws IOException {
        assertThat(links.address()).isInstanceOfSatisfying(ControlAddress.OfPort.class, address -> {
            assertThat(address.host()).isEqualTo("127.0.0.1");
            assertThat(address.port()).isPositive();
        });
        join();
    }

    @Test
    void aStrangerWithoutTheTokenIsRefusedAndTheRankIsNot() throws IOException {
        Channel stranger = connect();
        stranger.send(new FromRank.Hello(Channel.PROTOCOL, 0, "guessed"), FromRank.class);

        awaitLog("Refused a connection to the control channel from /127.0.0.1:");
        awaitLog(": its token is not that of this group");
        assertThat(stranger.receive(ToRank.class)).isNull();
        join();
    }

    @Test
    void aRankOfAnotherVersionIsRefused() throws IOException {
        Channel older = connect();
        older.send(new FromRank.Hello(Channel.PROTOCOL - 1, 0, TOKEN), FromRank.class);

        awaitLog(": it runs another version of RankUnit");
        assertThat(older.receive(ToRank.class)).isNull();
        join();
    }

    @Test
    void theSecondConnectionOfARankIsRefusedAndTheFirstStays() throws IOException {
        Channel rank = join();
        Channel second = connect();
        second.send(new FromRank.Hello(Channel.PROTOCOL, 0, TOKEN), FromRank.class);

        awaitLog(": rank 0 has connected before");
        assertThat(second.receive(ToRank.class)).isNull();
        rank.send(new FromRank.Begun(), FromRank.class);
        assertThat(next())
                .isInstanceOfSatisfying(
                        RankSignal.Said.class,
                        said -> assertThat(said.message()).isEqualTo(new FromRank.Begun()));
    }

    @Test
    void aConnectionThatSaysNothingIsRefusedWhenItEnds() throws IOException {
        connect().close();

        awaitLog(": it ended without a message");
        join();
    }

    @Test
    void theParentGivesSignsOfLifeThoughNobodyListensToTheRanks() throws IOException {
        Channel rank = join();
        AtomicInteger signs = new AtomicInteger();
        rank.onSign(signs::incrementAndGet);

        while (signs.get() < 2) {
            assertThat(rank.fill()).isPositive();
            assertThat(rank.next(ToRank.class)).isNull();
        }
    }

    @Test
    void aSilentRankWhoseNodeDoesNotAnswerIsLost() throws IOException {
        process.loseNode("is on node1, which does not answer");
        links = listen(AT_ONCE);
        join();

        assertThat(next()).isInstanceOfSatisfying(RankSignal.Lost.class, lost -> {
            assertThat(lost.link().rank()).isZero();
            assertThat(lost.why()).isEqualTo("is on node1, which does not answer");
        });
        assertThat(links.all().get(0).isHeard()).isFalse();
        assertThat(links.next(System.nanoTime())).isNull();
    }

    @Test
    void whatARankSaidBeforeItsNodeWasLostIsStillHeard() throws IOException {
        links = listen(AT_ONCE);
        Channel rank = join();
        rank.send(new FromRank.RunEnded(), FromRank.class);
        process.loseNode("is on node1, which does not answer");

        assertThat(next())
                .isInstanceOfSatisfying(
                        RankSignal.Said.class,
                        said -> assertThat(said.message()).isEqualTo(new FromRank.RunEnded()));
        assertThat(next()).isInstanceOf(RankSignal.Lost.class);
    }

    @Test
    void aSilentRankWhoseNodeAnswersIsNotLost() throws IOException {
        links = listen(AT_ONCE);
        Channel rank = join();
        long deadline = in(20);
        while (process.nodeChecks() < 3 && System.nanoTime() - deadline < 0) {
            assertThat(links.next(System.nanoTime())).isNull();
        }
        assertThat(process.nodeChecks()).isGreaterThanOrEqualTo(3);

        rank.send(new FromRank.Begun(), FromRank.class);

        assertThat(next()).isInstanceOf(RankSignal.Said.class);
    }

    @Test
    void theNodeOfARankThatIsHeardIsNotAsked() throws IOException {
        process.loseNode("is on node1, which does not answer");
        join();

        assertThat(links.next(System.nanoTime())).isNull();
        assertThat(process.nodeChecks()).isZero();
    }

    @Test
    void theNodeOfARankThatHasEndedIsNotAskedAnyMore() throws IOException {
        links = listen(AT_ONCE);
        join();
        process.kill();
        assertThat(next()).isInstanceOf(RankSignal.Gone.class);
        int before = process.nodeChecks();

        for (int look = 0; look < 3; look++) {
            assertThat(links.next(System.nanoTime())).isNull();
        }

        assertThat(process.nodeChecks()).isEqualTo(before);
    }

    @Test
    void theNodeOfARankThatSaysNonsenseIsNotAskedAnyMore() throws IOException {
        links = listen(AT_ONCE);
        Channel rank = join();
        rank.send(new ToRank.Shutdown(), ToRank.class);
        assertThat(next())
                .isInstanceOfSatisfying(
                        RankSignal.Lost.class,
                        lost -> assertThat(lost.why()).startsWith("sent something that is not a message"));
        int before = process.nodeChecks();

        for (int look = 0; look < 3; look++) {
            assertThat(links.next(System.nanoTime())).isNull();
        }

        assertThat(process.nodeChecks()).isEqualTo(before);
    }

    /** @param silence how long the rank may be silent */
    private RankLinks listen(Duration silence) throws IOException {
        RankLinks listening = new RankLinks(new ControlAddress.OfPort("127.0.0.1", 0), TOKEN, Optional.of(silence));
        opened.add(listening);
        listening.add(new RankLink(process));
        return listening;
    }

    private Channel connect() throws IOException {
        Channel channel =
                new Channel(ControlAddress.of(links.address().toString()).connect(), new RecordCodec());
        opened.add(channel);
        return channel;
    }

    /** The rank connects, and the parent hears it. */
    private Channel join() throws IOException {
        FromRank.Hello hello = new FromRank.Hello(Channel.PROTOCOL, 0, TOKEN);
        Channel rank = connect();
        rank.send(hello, FromRank.class);
        assertThat(next())
                .isInstanceOfSatisfying(
                        RankSignal.Said.class,
                        said -> assertThat(said.message()).isEqualTo(hello));
        return rank;
    }

    private RankSignal next() throws IOException {
        RankSignal signal = links.next(in(20));
        if (signal == null) {
            throw new AssertionError("nothing has happened in 20 s");
        }
        return signal;
    }

    /** Let the parent look at its channels until it has logged this; no rank says anything meanwhile. */
    private void awaitLog(String text) throws IOException {
        long deadline = in(20);
        while (!logged.toString(StandardCharsets.UTF_8).contains(text) && System.nanoTime() - deadline < 0) {
            assertThat(links.next(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(5)))
                    .isNull();
        }
        assertThat(logged.toString(StandardCharsets.UTF_8)).contains(text);
    }

    private static long in(int seconds) {
        return System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    }
}
