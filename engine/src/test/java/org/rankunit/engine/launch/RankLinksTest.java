package org.rankunit.engine.launch;

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

/** The parent's end of the control channel, with a rank that is played here. */
@Timeout(60)
class RankLinksTest {

    @Test
    void whatWasSaidIsHeardThoughTheDeadlineHasPassed(@TempDir Path folder) throws IOException {
        Path control = folder.resolve("control");
        Process process = new ProcessBuilder("sleep", "1000").start();
        try (RankLinks links = new RankLinks(control, "token");
                Channel rank = new Channel(open(links, control, process, folder), new RecordCodec())) {
            FromRank hello = new FromRank.Hello(Channel.PROTOCOL, 0, process.pid(), "token");
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

    private static SocketChannel open(RankLinks links, Path control, Process process, Path folder) throws IOException {
        links.add(new RankLink(0, 0, process, new RankLog(folder.resolve("log")), folder.resolve("crash")));
        return SocketChannel.open(UnixDomainSocketAddress.of(control));
    }
}
