package org.rankunit.engine.rank.parent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.comm.Communicator;
import org.rankunit.comm.CommunicatorConfig;
import org.rankunit.comm.Rendezvous;
import org.rankunit.device.Device;
import org.rankunit.device.DeviceActivity;
import org.rankunit.engine.protocol.FromRank;
import org.rankunit.engine.protocol.ToRank;
import org.rankunit.engine.protocol.wire.Channel;
import org.rankunit.engine.protocol.wire.RecordCodec;

/** What a rank makes of the messages of its parent. */
@Tag("unit")
@Timeout(60)
class ControlLineTest {

    private Channel parent;
    private Channel rank;
    private Device device;
    private Communicator communicator;
    private ControlLine line;

    @BeforeEach
    void connect(@TempDir Path folder) throws IOException {
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(folder.resolve("control"));
        RecordCodec codec = new RecordCodec();
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(address);
            rank = new Channel(SocketChannel.open(address), codec);
            parent = new Channel(server.accept(), codec);
        }
        device = Device.open("a2a3sim", 0);
        Rendezvous meeting = new Rendezvous.File(folder.resolve("root"));
        communicator =
                Communicator.open(new CommunicatorConfig(0, 1, meeting, 1 << 12, Duration.ofSeconds(20), null), device);
        line = new ControlLine(rank);
        line.start(
                new CommunicatorState(communicator, device),
                () -> new FromRank.Whereabouts("", ""),
                () -> new DeviceActivity(DeviceActivity.State.IDLE, 0, List.of()));
    }

    @AfterEach
    void close() throws IOException {
        parent.send(new ToRank.Shutdown(), ToRank.class);
        assertThat(line.nextOrder()).isEqualTo(new ToRank.Shutdown());
        communicator.close();
        device.close();
        rank.close();
        parent.close();
    }

    @Test
    void aRankIsReleasedByItsParent() throws IOException {
        release();

        assertThat(line.isReleased()).isTrue();
        assertThat(communicator.abortedHere()).isPresent();
    }

    @Test
    void aRankThatHasAbortedItsCommunicatorBeforeIsNotReleasedBecauseOfItself() throws IOException {
        communicator.abort(0, "struck");

        release();

        assertThat(line.isReleased()).isFalse();
        assertThat(communicator.abortedHere())
                .hasValueSatisfying(why -> assertThat(why).contains("struck"));
    }

    /** Returns when the message has been handled: the answer to the one after it has come. */
    private void release() throws IOException {
        parent.send(new ToRank.Release(0, "rank 0 failed"), ToRank.class);
        parent.send(new ToRank.Look(1), ToRank.class);
        assertThat(parent.receive(FromRank.class)).isInstanceOf(FromRank.Seen.class);
    }
}
