package org.rankunit.engine.slurm.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reads what Slurm 22.05 printed: {@code nodes.txt} is the output of {@code scontrol show node --oneliner}. */
@Tag("unit")
@Timeout(60)
class NodeAddressesTest {

    private static final int USUAL = 7000;

    @Test
    void eachNodeHasItsAddressAndItsPort() throws IOException {
        assertThat(NodeAddresses.parse(nodes(), USUAL).all())
                .containsExactly(
                        Map.entry("node1", new InetSocketAddress(InetAddress.getLoopbackAddress(), 11343)),
                        Map.entry("node2", new InetSocketAddress(InetAddress.getLoopbackAddress(), 11344)));
    }

    /** Slurm leaves out the port of nodes that listen where its configuration says for all. */
    @Test
    void aNodeWithoutAPortHasTheUsualOneWhateverItsReasonSays() throws IOException {
        String without = nodes().replaceAll("Port=1134\\d ", "");

        assertThat(without).contains("Port=1 ");
        assertThat(NodeAddresses.parse(without, USUAL).all().values())
                .extracting(InetSocketAddress::getPort)
                .containsExactly(USUAL, USUAL);
    }

    @Test
    void linesThatAreNoNodesAreIgnored() {
        assertThat(NodeAddresses.parse("\nNode node9 not found\n", USUAL).all()).isEmpty();
    }

    @Test
    void theUsualPortIsThatOfTheConfiguration() {
        assertThat(NodeAddresses.usualPort("SlurmctldPort           = 11342\nSlurmdPort              = 7000\n"))
                .isEqualTo(7000);
        assertThat(NodeAddresses.usualPort("SlurmctldPort           = 11342\n")).isEqualTo(6818);
    }

    @Test
    void aNodeWhoseDaemonListensIsNotSilent() throws IOException {
        try (ServerSocket daemon = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            assertThat(nodeAt(daemon.getLocalPort()).whySilent("node1", Duration.ofSeconds(20)))
                    .isEmpty();
        }
    }

    @Test
    void aNodeThatRefusesIsNotSilent() throws IOException {
        int port;
        try (ServerSocket closed = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            port = closed.getLocalPort();
        }

        assertThat(nodeAt(port).whySilent("node1", Duration.ofSeconds(20))).isEmpty();
    }

    @Test
    void aNodeThatDoesNotAnswerIsSilentForTheWholeLimit() throws IOException {
        try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            List<Socket> waiting = fill(full);
            long begin = System.nanoTime();

            assertThat(nodeAt(full.getLocalPort()).whySilent("node1", Duration.ofMillis(200)))
                    .contains("no answer within 200 ms");

            assertThat(Duration.ofNanos(System.nanoTime() - begin))
                    .isBetween(Duration.ofMillis(199), Duration.ofSeconds(20));
            for (Socket each : waiting) {
                each.close();
            }
        }
    }

    @Test
    void whatIsNotKnownOfANodeIsNotHeldAgainstIt() {
        assertThat(nodeAt(1).whySilent("node7", Duration.ofMillis(1))).isEmpty();
        assertThat(NodeAddresses.parse("NodeName=node1 NodeAddr=no.such.host.invalid Port=1 x", USUAL)
                        .whySilent("node1", Duration.ofMillis(1)))
                .isEmpty();
    }

    @Test
    void nodesOnThisMachineReachItAtItsLoopbackAddress() {
        assertThat(nodeAt(1).addressOfThisMachine()).isEqualTo("127.0.0.1");
    }

    /** Connect until the system answers no more: nobody accepts what waits there. */
    private static List<Socket> fill(ServerSocket server) throws IOException {
        List<Socket> waiting = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            Socket socket = new Socket();
            waiting.add(socket);
            try {
                socket.connect(server.getLocalSocketAddress(), 100);
            } catch (SocketTimeoutException e) {
                return waiting;
            }
        }
        throw new AssertionError("100 connections were accepted by a socket that has room for one");
    }

    private static NodeAddresses nodeAt(int port) {
        return NodeAddresses.parse("NodeName=node1 NodeAddr=127.0.0.1 NodeHostName=vm Port=" + port + " x", USUAL);
    }

    private static String nodes() throws IOException {
        try (InputStream in = NodeAddressesTest.class.getResourceAsStream("nodes.txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
