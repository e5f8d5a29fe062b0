package org.rankunit.engine.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.engine.launch.PlayedProcess;
import org.rankunit.engine.link.RankLink;
import org.rankunit.engine.link.RankLinks;
import org.rankunit.engine.link.RankSignal;
import org.rankunit.engine.protocol.DeviceRef;
import org.rankunit.engine.protocol.FromRank;
import org.rankunit.engine.protocol.wire.Channel;
import org.rankunit.engine.protocol.wire.ControlAddress;
import org.rankunit.engine.protocol.wire.RecordCodec;

@Tag("ranks")
@Timeout(60)
class BringUpFaultTest {

    private PlayedProcess process;
    private RankLinks links;

    @BeforeEach
    void listen(@TempDir Path folder) throws IOException {
        process = new PlayedProcess(0, new DeviceRef("node1", 0), folder, PlayedProcess.News.AT_ONCE);
        links = new RankLinks(new ControlAddress.OfPort("127.0.0.1", 0), "token", Optional.of(Duration.ofDays(1)));
        links.add(new RankLink(process));
    }

    @AfterEach
    void end() throws IOException {
        process.kill();
        links.close();
    }

    @Test
    void aRankThatEndsBeforeItHasConnectedIsShownWithTheStrangersThatWereRefused() throws IOException {
        refuseAStranger();
        process.kill();

        assertThat(BringUpFault.of(next(), links))
                .hasMessageStartingWith("rank 0 (device 0 of node node1) was killed by SIGKILL")
                .hasMessageContaining(" before it was up (1 unidentified connection was refused (1 from 127.0.0.1), the"
                        + " last because a message of 2147483647 bytes; at most 4096 are allowed); the last lines of ");
    }

    @Test
    void aRankThatHasConnectedDoesNotEndBecauseOfStrangers() throws IOException {
        refuseAStranger();
        try (Channel rank = new Channel(links.address().connect(), new RecordCodec())) {
            rank.send(new FromRank.Hello(Channel.PROTOCOL, 0, "token"), FromRank.class);
            assertThat(next()).isInstanceOf(RankSignal.Said.class);
            process.kill();

            assertThat(BringUpFault.of(next(), links)).hasMessageContaining(" before it was up; the last lines of ");
        }
    }

    private void refuseAStranger() throws IOException {
        try (SocketChannel stranger = links.address().connect()) {
            stranger.write(ByteBuffer.allocate(4).putInt(Integer.MAX_VALUE).flip());
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            while (links.refusedStrangers().isEmpty() && System.nanoTime() - deadline < 0) {
                assertThat(links.next(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(5)))
                        .isNull();
            }
        }
    }

    private RankSignal next() throws IOException {
        RankSignal signal = links.next(System.nanoTime() + TimeUnit.SECONDS.toNanos(20));
        if (signal == null) {
            throw new AssertionError("nothing has happened in 20 s");
        }
        return signal;
    }
}
