package org.rankunit.engine.rank.parent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.rankunit.engine.protocol.FromRank;
import org.rankunit.engine.protocol.ToRank;
import org.rankunit.engine.protocol.wire.Channel;
import org.rankunit.engine.protocol.wire.ControlAddress;
import org.rankunit.engine.protocol.wire.RecordCodec;

/** A rank whose parent, played here, hangs up on it. */
@Tag("unit")
@Timeout(60)
class IntroductionTest {

    private static final FromRank.Hello HELLO = new FromRank.Hello(Channel.PROTOCOL, 3, "token");

    private final ExecutorService parent = Executors.newSingleThreadExecutor();
    private final List<Channel> told = new ArrayList<>();
    private final List<Duration> pauses = new ArrayList<>();
    private ServerSocketChannel server;
    private ControlAddress address;

    @BeforeEach
    void listen() throws IOException {
        ControlAddress any = new ControlAddress.OfPort("127.0.0.1", 0);
        server = any.listen();
        address = any.reachedAt(server);
    }

    @AfterEach
    void close() throws IOException {
        server.close();
        parent.shutdownNow();
    }

    @Test
    void aRankThatIsCutOffBeforeItIsAnsweredTriesAgain() throws Exception {
        Future<List<FromRank>> heard = parent.submit(() -> {
            List<FromRank> hellos = new ArrayList<>();
            // Before and after it has said who it is.
            server.accept().close();
            try (Channel second = new Channel(server.accept(), new RecordCodec())) {
                hellos.add(second.receive(FromRank.class));
            }
            try (Channel third = new Channel(server.accept(), new RecordCodec())) {
                hellos.add(third.receive(FromRank.class));
                third.send(new ToRank.Shutdown(), ToRank.class);
                hellos.add(third.receive(FromRank.class));
            }
            return hellos;
        });
        try (Introduction rank = introduction()) {
            assertThat(rank.awaitFirst()).isEqualTo(new ToRank.Shutdown());
            assertThat(told).hasSize(3).last().isSameAs(rank.channel());
            rank.channel().send(new FromRank.Begun(), FromRank.class);
        }

        assertThat(heard.get(30, TimeUnit.SECONDS)).containsExactly(HELLO, HELLO, new FromRank.Begun());
        assertThat(pauses).containsExactly(Duration.ofMillis(200), Duration.ofMillis(400));
    }

    @Test
    void aRankThatIsRefusedEachTimeGivesUp() throws Exception {
        Future<Integer> connections = parent.submit(() -> {
            for (int i = 0; i < Introduction.TRIES; i++) {
                try (Channel each = new Channel(server.accept(), new RecordCodec())) {
                    each.receive(FromRank.class);
                }
            }
            return Introduction.TRIES;
        });
        try (Introduction rank = introduction()) {
            assertThatThrownBy(rank::awaitFirst)
                    .isInstanceOf(IOException.class)
                    .hasMessage("the parent closed the connection before it sent anything");
        }

        assertThat(connections.get(30, TimeUnit.SECONDS)).isEqualTo(told.size());
    }

    @Test
    void aRankWhoseParentIsGoneDoesNotTryForLong() throws Exception {
        Future<Boolean> gone = parent.submit(() -> {
            try (Channel only = new Channel(server.accept(), new RecordCodec())) {
                only.receive(FromRank.class);
                server.close();
                return true;
            }
        });
        try (Introduction rank = introduction()) {
            assertThatThrownBy(rank::awaitFirst)
                    .isInstanceOf(IOException.class)
                    .hasMessage("the parent closed the connection before it sent anything");
        }

        assertThat(gone.get(30, TimeUnit.SECONDS)).isTrue();
        assertThat(pauses).hasSize(1);
    }

    private Introduction introduction() throws IOException {
        return Introduction.to(address, HELLO, told::add, pauses::add);
    }
}
