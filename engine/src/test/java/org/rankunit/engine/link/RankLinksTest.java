package org.rankunit.engine.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.engine.control.Channel;
import org.rankunit.engine.control.FromRank;
import org.rankunit.engine.control.RecordCodec;
import org.rankunit.engine.control.ToRank;
import org.rankunit.engine.launch.RankLog;

/** The parent's end of the control channel, with a rank that is played here. */
@Timeout(60)
class RankLinksTest {

    @Test
    void whatWasSaidIsHeardThoughTheDeadlineHasPassed(@TempDir Path folder) throws IOException {
        Path control = folder.resolve("control");
        Process process = new ProcessBuilder("sleep", "1000").start();
        try (RankLinks links = new RankLinks(control, "token");
                Channel rank = new Channel(open(links, control, process, folder), new RecordCodec())) {
            FromRank hello = new FromRank.Hello(Channel.PROTOCOL, 0, "token");
            rank.send((Record) hello, FromRank.class);
            long passed = System.nanoTime() - TimeUnit.SECONDS.toNanos(5);

            assertThat(links.next(passed))
                    .isInstanceOfSatisfying(
                            RankSignal.Said.class,
                            said -> assertThat(said.message()).isEqualTo(hello));
            assertThat(links.next(passed)).isNull();
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void whatWasSaidIsHeardBeforeThatNobodyListensAnyMore(@TempDir Path folder) throws IOException {
        Path control = folder.resolve("control");
        Process process = new ProcessBuilder("sleep", "1000").start();
        try (RankLinks links = new RankLinks(control, "token")) {
            FromRank last = new FromRank.KernelLate("spin");
            try (Channel rank = new Channel(open(links, control, process, folder), new RecordCodec())) {
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
            assertThat(links.next(in(20)))
                    .isInstanceOfSatisfying(
                            RankSignal.Lost.class,
                            lost -> assertThat(lost.why()).startsWith("cannot be written to"));
        } finally {
            process.destroyForcibly();
        }
    }

    private static long in(int seconds) {
        return System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    }

    private static SocketChannel open(RankLinks links, Path control, Process process, Path folder) throws IOException {
        links.add(new RankLink(0, 0, process, new RankLog(folder.resolve("log")), folder.resolve("crash")));
        return SocketChannel.open(UnixDomainSocketAddress.of(control));
    }
}
