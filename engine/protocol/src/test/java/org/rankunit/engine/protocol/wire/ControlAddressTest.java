package org.rankunit.engine.protocol.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.BindException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.engine.protocol.FromRank;

@Tag("unit")
@Timeout(60)
class ControlAddressTest {

    @ParameterizedTest
    @ValueSource(strings = {"/tmp/a b/control", "control", "/tmp/tcp:1", "tcp:10.0.0.1:4711", "tcp:::1:4711"})
    void anAddressIsReadAsItWasWritten(String text) {
        assertThat(ControlAddress.of(text)).hasToString(text);
        assertThat(ControlAddress.of(ControlAddress.of(text).toString())).isEqualTo(ControlAddress.of(text));
    }

    @Test
    void anAddressWithASchemeIsAPortAndAnyOtherAFile() {
        assertThat(ControlAddress.of("tcp:10.0.0.1:4711")).isEqualTo(new ControlAddress.OfPort("10.0.0.1", 4711));
        assertThat(ControlAddress.of("/tmp/control")).isEqualTo(new ControlAddress.OfFile(Path.of("/tmp/control")));
    }

    @Test
    void onlyThePortFollowsTheLastColon() {
        assertThat(ControlAddress.of("tcp:fe80:0:0:0:1:2:3:4:80"))
                .isEqualTo(new ControlAddress.OfPort("fe80:0:0:0:1:2:3:4", 80));
    }

    @Test
    void theFamilyIsThatOfTheHost() {
        assertThat(new ControlAddress.OfPort("127.0.0.1", 1).family()).isEqualTo(StandardProtocolFamily.INET);
        assertThat(new ControlAddress.OfPort("::1", 1).family()).isEqualTo(StandardProtocolFamily.INET6);
        assertThat(new ControlAddress.OfFile(Path.of("c")).family()).isEqualTo(StandardProtocolFamily.UNIX);
    }

    @Test
    void whoeverListensOnAnyPortIsReachedAtTheOneThatItGot() throws IOException {
        exchange(new ControlAddress.OfPort("127.0.0.1", 0));
    }

    @Test
    void aPortOfTheNewerInternetProtocolIsReachedAsWell() throws IOException {
        NetworkInterface loopback = NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress());
        Assumptions.assumeTrue(
                loopback != null && loopback.inetAddresses().anyMatch(Inet6Address.class::isInstance),
                "the loopback interface has no IPv6 address");

        exchange(new ControlAddress.OfPort("::1", 0));
    }

    @Test
    void aFileIsReachedWhereItIs(@TempDir Path folder) throws IOException {
        ControlAddress file = new ControlAddress.OfFile(folder.resolve("control"));
        try (ServerSocketChannel server = file.listen()) {
            assertThat(file.reachedAt(server)).isEqualTo(file);
        }
        exchange(new ControlAddress.OfFile(folder.resolve("other")));
    }

    @Test
    void messagesOverAPortAreSentAtOnce() throws IOException {
        ControlAddress any = new ControlAddress.OfPort("127.0.0.1", 0);
        try (ServerSocketChannel server = any.listen();
                SocketChannel socket = any.reachedAt(server).connect()) {
            assertThat(socket.getOption(StandardSocketOptions.TCP_NODELAY)).isTrue();
        }
    }

    @Test
    void aPortThatIsTakenIsAnError() throws IOException {
        ControlAddress any = new ControlAddress.OfPort("127.0.0.1", 0);
        try (ServerSocketChannel server = any.listen()) {
            ControlAddress taken = any.reachedAt(server);

            assertThatThrownBy(taken::listen).isInstanceOf(BindException.class);
        }
    }

    /** A rank that is told the address as text says something to whoever listens there. */
    private static void exchange(ControlAddress given) throws IOException {
        RecordCodec codec = new RecordCodec();
        try (ServerSocketChannel server = given.listen();
                Channel rank = new Channel(
                        ControlAddress.of(given.reachedAt(server).toString()).connect(), codec);
                Channel parent = new Channel(server.accept(), codec)) {
            rank.send(new FromRank.Begun(), FromRank.class);

            assertThat(parent.receive(FromRank.class)).isEqualTo(new FromRank.Begun());
        }
    }
}
