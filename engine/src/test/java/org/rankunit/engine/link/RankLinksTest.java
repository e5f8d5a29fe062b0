package org.rankunit.engine.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.engine.launch.PlayedProcess;
import org.rankunit.engine.protocol.DeviceRef;
import org.rankunit.engine.protocol.FromRank;
import org.rankunit.engine.protocol.ToRank;
import org.rankunit.engine.protocol.wire.Channel;
import org.rankunit.engine.protocol.wire.RecordCodec;

/** The parent's end of the control channel, with a rank that is played here. */
@Tag("ranks")
@Timeout(60)
class RankLinksTest {

    @Test
    void whatWasSaidIsHeardThoughTheDeadlineHasPassed(@TempDir Path folder) throws IOException {
        Path control = folder.resolve("control");
        PlayedProcess process = new PlayedProcess(0, DeviceRef.here(0), folder, PlayedProcess.News.AT_ONCE);
        try (RankLinks links = new RankLinks(control, "token");
                Channel rank = new Channel(open(links, control, process), new RecordCodec())) {
            FromRank hello = new FromRank.Hello(Channel.PROTOCOL, 0, "token");
            rank.send((Record) hello, FromRank.class);
            long passed = System.nanoTime() - TimeUnit.SECONDS.toNanos(5);

            assertThat(links.next(passed))
                    .isInstanceOfSatisfying(
                            RankSignal.Said.class,
                            said -> assertThat(said.message()).isEqualTo(hello));
            assertThat(links.next(passed)).isNull();
        } finally {
            process.kill();
        }
    }

    @Test
    void whatWasSaidIsHeardBeforeThatNobodyListensAnyMore(@TempDir Path folder) throws IOException {
        Path control = folder.resolve("control");
        PlayedProcess process = new PlayedProcess(0, DeviceRef.here(0), folder, PlayedProcess.News.AT_ONCE);
        try (RankLinks links = new RankLinks(control, "token")) {
            FromRank last = new FromRank.KernelLate("spin", "", List.of());
            try (Channel rank = new Channel(open(links, control, process), new RecordCodec())) {
                rank.send((Record) new FromRank.Hello(Channel.PROTOCOL, 0, "token"), FromRank.class);
                assertThat(links.next(in(20))).isInstanceOf(RankSignal.Said.class);
                rank.send((Record) last, FromRank.class);
            }

            // The rank has hung up, and nobody has looked at what it said before.
            links.send(links.all().get(0), new ToRank.Shutdown());

            assertThat(links.next(in(20)))
                    .isInstanceOfSatisfying(
                            RankSignal.Said.class,
                            said -> assertThat(said.message()).isEqualTo(last));
            assertThat(links.next(in(20))).isInstanceOf(RankSignal.HungUp.class);
            assertThat(links.next(in(20)))
                    .isInstanceOfSatisfying(
                            RankSignal.Lost.class,
                            lost -> assertThat(lost.why()).startsWith("cannot be written to"));
        } finally {
            process.kill();
        }
    }

    @Test
    void theEndOfAChannelIsToldAtOnceAndHowTheProcessEndedOnceThatIsKnown(@TempDir Path folder) throws IOException {
        Path control = folder.resolve("control");
        PlayedProcess process = new PlayedProcess(0, new DeviceRef("b", 0), folder, PlayedProcess.News.WHEN_ASKED);
        try (RankLinks links = new RankLinks(control, "token")) {
            try (Channel rank = new Channel(open(links, control, process), new RecordCodec())) {
                rank.send((Record) new FromRank.Hello(Channel.PROTOCOL, 0, "token"), FromRank.class);
                assertThat(links.next(in(20))).isInstanceOf(RankSignal.Said.class);
                process.kill();
            }

            assertThat(links.next(in(20)))
                    .isInstanceOfSatisfying(
                            RankSignal.HungUp.class,
                            hungUp -> assertThat(hungUp.why()).isEqualTo("closed its control channel"));
            assertThat(process.isAsked()).isTrue();
            assertThat(links.next(in(20)))
                    .isInstanceOfSatisfying(
                            RankSignal.Gone.class,
                            gone -> assertThat(gone.status().isKill()).isTrue());
        } finally {
            process.kill();
        }
    }

    @Test
    void nobodyWaitsForAProcessThatIsNeverKnownToHaveEnded(@TempDir Path folder) throws IOException {
        Path control = folder.resolve("control");
        PlayedProcess silent = new PlayedProcess(0, new DeviceRef("b", 0), folder, PlayedProcess.News.NEVER);
        PlayedProcess other = new PlayedProcess(1, DeviceRef.here(1), folder, PlayedProcess.News.AT_ONCE);
        try (RankLinks links = new RankLinks(control, "token")) {
            try (Channel first = new Channel(open(links, control, silent), new RecordCodec());
                    Channel second = new Channel(open(links, control, other), new RecordCodec())) {
                first.send((Record) new FromRank.Hello(Channel.PROTOCOL, 0, "token"), FromRank.class);
                assertThat(links.next(in(20))).isInstanceOf(RankSignal.Said.class);
                second.send((Record) new FromRank.Hello(Channel.PROTOCOL, 1, "token"), FromRank.class);
                assertThat(links.next(in(20))).isInstanceOf(RankSignal.Said.class);
                first.socket().close();
                assertThat(links.next(in(20))).isInstanceOf(RankSignal.HungUp.class);

                second.send((Record) new FromRank.Begun(), FromRank.class);

                assertThat(links.next(in(20)))
                        .isInstanceOfSatisfying(
                                RankSignal.Said.class,
                                said -> assertThat(said.link().rank()).isEqualTo(1));
                assertThat(links.next(in(20)))
                        .isInstanceOfSatisfying(
                                RankSignal.Lost.class,
                                lost -> assertThat(lost.link().rank()).isZero());
            }
        } finally {
            silent.kill();
            other.kill();
        }
    }

    private static long in(int seconds) {
        return System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    }

    private static SocketChannel open(RankLinks links, Path control, PlayedProcess process) throws IOException {
        links.add(new RankLink(process));
        return SocketChannel.open(UnixDomainSocketAddress.of(control));
    }
}
