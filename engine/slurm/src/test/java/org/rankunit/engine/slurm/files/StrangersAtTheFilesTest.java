package org.rankunit.engine.slurm.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.engine.protocol.FileAccess;
import org.rankunit.engine.protocol.wire.Newcomers;
import org.rankunit.engine.rank.files.ParentFiles;

/** Strangers at the port where ranks of other nodes get files, and a rank that must be served all the same. */
@Tag("unit")
@Timeout(60)
class StrangersAtTheFilesTest {

    @TempDir
    Path folder;

    /** The clock of the server stands still unless a test moves it. */
    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1000);

    /** One for each look at the clock. */
    private final Semaphore looks = new Semaphore(0);

    private final List<Socket> opened = new ArrayList<>();
    private Path file;
    private FileServer server;
    private FileAccess access;

    @BeforeEach
    void listen() throws IOException {
        Path readable = Files.createDirectory(folder.resolve("project"));
        file = Files.writeString(readable.resolve("x"), "x");
        server = FileServer.listen("127.0.0.1", new FileRoots(List.of(readable), List.of()), this::look);
        access = server.access(folder.resolve("node").toString());
    }

    private long look() {
        long time = now.get();
        looks.release();
        return time;
    }

    @AfterEach
    void close() throws IOException {
        for (Socket each : opened) {
            each.close();
        }
        server.close();
    }

    @Test
    void ofManyThatSayNothingTheOldestGoesAndARankIsServed() throws IOException {
        Socket first = connect();
        for (int i = 0; i < Newcomers.MAX; i++) {
            connect();
        }

        assertThat(isEnded(first)).isTrue();
        assertThat(fetched()).isEqualTo("x");
    }

    @Test
    void whoSaysOneByteAfterTheOtherHasNoMoreTimeThanWhoSaysNothing() throws Exception {
        Socket stranger = connect();
        DataOutputStream out = new DataOutputStream(stranger.getOutputStream());
        byte[] token = access.token().getBytes(StandardCharsets.UTF_8);
        out.writeByte(0);
        // When it came, when it began to be heard, and before each of two bytes.
        assertThat(looks.tryAcquire(4, 20, TimeUnit.SECONDS)).isTrue();
        now.addAndGet(FileServer.PATIENCE.toNanos());
        if (says(stranger, (byte) token.length)) {
            for (byte each : token) {
                says(stranger, each);
            }
            says(stranger, (byte) 'R');
            says(stranger, (byte) 0);
            says(stranger, (byte) 0);
        }

        assertThat(isEnded(stranger)).isTrue();
        assertThat(fetched()).isEqualTo("x");
    }

    @Test
    void aRequestThatArrivesByteByByteHasItsTimeToo() throws Exception {
        Socket slow = connect();
        DataOutputStream out = new DataOutputStream(slow.getOutputStream());
        out.writeUTF(access.token());
        out.writeByte('R');
        out.writeUTF(file.toString());
        assertThat(slow.getInputStream().readNBytes(2 + 8 + 1)).hasSize(11);
        // A rank may ask nothing for any time, but this one has begun to ask.
        now.addAndGet(10 * FileConnection.HEAD_TIME.toNanos());
        out.writeByte('R');
        out.writeUTF(file.toString());
        assertThat(slow.getInputStream().readNBytes(2 + 8 + 1)).hasSize(11);
        looks.drainPermits();
        out.writeByte('R');
        // From here on its time runs.
        assertThat(looks.tryAcquire(20, TimeUnit.SECONDS)).isTrue();
        // However many of these bytes are read at once, the request is not complete, so the clock is looked at again.
        out.writeShort(0xffff);
        for (int i = 0; i < 200 && says(slow, (byte) '/'); i++) {
            now.addAndGet(FileConnection.HEAD_TIME.toNanos() / 4);
        }

        assertThat(isEnded(slow)).isTrue();
        assertThat(fetched()).isEqualTo("x");
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(access.host(), access.port());
        socket.setTcpNoDelay(true);
        opened.add(socket);
        return socket;
    }

    private String fetched() throws IOException {
        return Files.readString(
                ParentFiles.of(access.withLog(folder.resolve("log"))).fetch(file));
    }

    /** Say one byte more; false if the other side has hung up. */
    private static boolean says(Socket socket, byte word) {
        try {
            socket.getOutputStream().write(word);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean isEnded(Socket socket) {
        try {
            return socket.getInputStream().read() < 0;
        } catch (IOException e) {
            return true;
        }
    }
}
