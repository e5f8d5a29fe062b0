package org.rankunit.engine.rank.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
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
import org.rankunit.engine.protocol.FileAccess;
import org.rankunit.engine.protocol.FileRequest;

/** A rank whose parent, played here, hangs up on it. */
@Tag("unit")
@Timeout(60)
class FileLineTest {

    private static final Path FILE = Path.of("/x");

    private final ExecutorService parent = Executors.newSingleThreadExecutor();
    private final List<Duration> pauses = new ArrayList<>();
    private ServerSocket server;
    private FileLine line;

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        String host = server.getInetAddress().getHostAddress();
        line = new FileLine(new FileAccess(host, server.getLocalPort(), "token", "/copies", ""), pauses::add);
    }

    @AfterEach
    void close() throws IOException {
        server.close();
        parent.shutdownNow();
    }

    @Test
    void aRequestIsMadeAgainIfItsFreshConnectionIsCutOff() throws Exception {
        Future<FileRequest> heard = parent.submit(() -> {
            server.accept().close();
            try (Socket second = server.accept()) {
                return answer(second);
            }
        });

        line.call("remove", FILE, calls -> calls.remove(FILE));

        assertThat(heard.get(30, TimeUnit.SECONDS)).isEqualTo(new FileRequest.Remove(FILE));
        assertThat(pauses).containsExactly(Duration.ofMillis(100));
    }

    @Test
    void aRequestIsNotMadeAgainOverAConnectionThatWasAnsweredBefore() throws Exception {
        Future<FileRequest> heard = parent.submit(() -> {
            try (Socket only = server.accept()) {
                return answer(only);
            }
        });
        line.call("remove", FILE, calls -> calls.remove(FILE));
        heard.get(30, TimeUnit.SECONDS);

        assertThatThrownBy(() -> line.call("remove", FILE, calls -> calls.remove(FILE)))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("cannot remove /x");
        assertThat(pauses).isEmpty();
    }

    @Test
    void whoIsCutOffEachTimeGivesUp() {
        Future<?> cutting = parent.submit(() -> {
            while (true) {
                server.accept().close();
            }
        });

        assertThatThrownBy(() -> line.call("remove", FILE, calls -> calls.remove(FILE)))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("cannot remove /x");
        assertThat(pauses).hasSize(4);
        assertThat(cutting.isDone()).isFalse();
    }

    private static FileRequest answer(Socket socket) throws IOException {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        assertThat(in.readUTF()).isEqualTo("token");
        FileRequest request = FileRequest.receive(in);
        new DataOutputStream(socket.getOutputStream()).writeUTF("");
        return request;
    }
}
