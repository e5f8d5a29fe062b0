package org.rankunit.engine.slurm.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.engine.protocol.FileAccess;
import org.rankunit.engine.rank.files.ParentFiles;
import org.rankunit.engine.timeline.EventLogFile;
import org.rankunit.engine.timeline.LogWriter;

/** What a rank does with files of a launcher that it does not see. */
@Tag("unit")
@Timeout(60)
class CopiedFilesTest {

    @TempDir
    Path folder;

    private Path readable;
    private Path writable;
    private Path log;
    private FileServer server;
    private FileAccess access;
    private ParentFiles files;

    @BeforeEach
    void listen() throws IOException {
        readable = Files.createDirectory(folder.resolve("project"));
        writable = Files.createDirectory(folder.resolve("out"));
        log = writable.resolve("logs/rank-0.log");
        server = FileServer.listen("127.0.0.1", new FileRoots(List.of(readable), List.of(writable)));
        access = server.access(folder.resolve("node").toString()).withLog(log);
        files = ParentFiles.of(access);
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void aFileIsFetchedAsItIsNow() throws IOException {
        Path file = Files.writeString(readable.resolve("x"), "first");

        assertThat(files.fetch(file)).hasContent("first").startsWith(folder.resolve("node"));
        Files.writeString(file, "");
        assertThat(files.fetch(file)).hasContent("");
        Files.delete(file);
        assertThat(files.fetch(file)).doesNotExist();
    }

    @Test
    void aFolderIsFetchedWithItsFiles() throws IOException {
        Path golden = readable.resolve("golden/rank_0");
        Files.createDirectories(golden.resolve("deeper"));
        Files.writeString(golden.resolve("a"), "1");
        Files.writeString(golden.resolve("b"), "2");

        Path copy = files.fetchFolder(golden);
        assertThat(copy.resolve("a")).hasContent("1");
        assertThat(copy.resolve("b")).hasContent("2");

        Files.delete(golden.resolve("a"));
        assertThat(files.fetchFolder(golden).resolve("a")).doesNotExist();
        assertThat(files.fetchFolder(readable.resolve("none"))).isEmptyDirectory();
    }

    @Test
    void aPublishedFileIsWhereTheLauncherExpectsIt() throws IOException {
        byte[] content = new byte[3_000_001];
        new Random(1).nextBytes(content);
        Path file = writable.resolve("actual/rank_1/x.npy");
        Files.write(files.local(file), content);

        files.publish(file);
        assertThat(file).hasBinaryContent(content);

        Files.writeString(files.local(file), "shorter");
        files.publish(file);
        assertThat(file).hasContent("shorter");

        files.remove(file);
        assertThat(file).doesNotExist();
        assertThat(files.local(file)).doesNotExist();
        files.remove(file);
    }

    @Test
    void aRecordIsPublishedAsItGrows() throws IOException {
        Path record = writable.resolve("events-0");
        LogWriter events = new LogWriter();
        files.publishRecord(record);
        assertThat(record).doesNotExist();

        for (int count = 1; count <= 5; count++) {
            events.event(11, count, count, 1, 4);
            events.write(files.local(record));
            files.publishRecord(record);

            List<Object> seen = new ArrayList<>();
            EventLogFile.open(record).forEach(0, seen::add);
            List<Object> recorded = new ArrayList<>();
            EventLogFile.open(files.local(record)).forEach(0, recorded::add);
            assertThat(seen).hasSize(count).isEqualTo(recorded);
        }
    }

    @Test
    void otherFilesAreRefusedAndTheConnectionGoesOn() throws IOException {
        Path secret = Files.writeString(folder.resolve("secret"), "x");
        Path link = Files.createSymbolicLink(writable.resolve("link"), secret);
        Path folders = Files.createSymbolicLink(readable.resolve("folders"), folder);
        Files.createSymbolicLink(writable.resolve("nothing"), folder.resolve("later"));

        for (Path file : List.of(
                secret, link, folders.resolve("secret"), readable.resolve("../secret"), Path.of("/etc/passwd"))) {
            assertThatThrownBy(() -> files.fetch(file))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("cannot read " + file)
                    .hasMessageContaining("may only read files below");
        }
        for (Path file : List.of(readable.resolve("x"), folder.resolve("x"), writable.resolve("nothing"))) {
            Files.writeString(files.local(file), "y".repeat(200_000));
            assertThatThrownBy(() -> files.publish(file))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("cannot write " + file);
            assertThat(Files.exists(file)).isFalse();
        }
        assertThatThrownBy(() -> files.remove(secret)).isInstanceOf(UncheckedIOException.class);
        assertThat(secret).hasContent("x");
        assertThat(files.fetch(Files.writeString(readable.resolve("fine"), "fine")))
                .hasContent("fine");
    }

    @Test
    void aFileThatCannotBeWrittenIsNamedWithTheReason() throws IOException {
        Path file = Files.createDirectory(writable.resolve("folder"));
        Files.writeString(files.local(file), "x");

        assertThatThrownBy(() -> files.publish(file))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("cannot write " + file)
                .hasMessageContaining("Is a directory");
    }

    @Test
    void aStrangerGetsNothing() throws IOException {
        Path file = Files.writeString(readable.resolve("x"), "x");
        ParentFiles stranger = ParentFiles.of(new FileAccess(
                access.host(), access.port(), "guessed", folder.resolve("s").toString(), log.toString()));

        assertThatThrownBy(() -> stranger.fetch(file))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("cannot read " + file);
        try (Socket socket = new Socket(access.host(), access.port())) {
            new DataOutputStream(socket.getOutputStream()).writeUTF("x".repeat(60_000));
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        } catch (IOException reset) {
            assertThat(reset).hasMessageContaining("reset");
        }
        assertThat(files.fetch(file)).hasContent("x");
    }

    @Test
    void aRequestThatMakesNoSenseEndsItsConnectionAlone() throws IOException {
        try (Socket socket = new Socket(access.host(), access.port())) {
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            out.writeUTF(access.token());
            out.writeByte('W');
            out.write(utf(writable.resolve("x")));
            out.writeLong(10);
            out.writeLong(8);
            out.writeLong(3);
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
        assertThat(writable.resolve("x")).doesNotExist();
        assertThat(files.fetch(Files.writeString(readable.resolve("x"), "x"))).hasContent("x");
    }

    private static byte[] utf(Path path) {
        byte[] text = path.toString().getBytes(StandardCharsets.UTF_8);
        byte[] all = new byte[text.length + 2];
        all[0] = (byte) (text.length >> 8);
        all[1] = (byte) text.length;
        System.arraycopy(text, 0, all, 2, text.length);
        return all;
    }

    @Test
    void ranksOfANodeFetchTheSameFileAtTheSameTime() throws Exception {
        byte[] content = new byte[500_000];
        new Random(2).nextBytes(content);
        Path file = Files.write(readable.resolve("x"), content);
        ExecutorService ranks = Executors.newFixedThreadPool(8);
        try {
            List<Future<byte[]>> copies = new ArrayList<>();
            for (int rank = 0; rank < 8; rank++) {
                ParentFiles own = ParentFiles.of(access);
                copies.add(ranks.submit(() -> Files.readAllBytes(own.fetch(file))));
            }
            for (Future<byte[]> copy : copies) {
                assertThat(copy.get(30, TimeUnit.SECONDS)).isEqualTo(content);
            }
        } finally {
            ranks.shutdownNow();
        }
    }

    @Test
    void afterItsEndNobodyIsServed() throws IOException {
        Path file = Files.writeString(readable.resolve("x"), "x");
        files.fetch(file);

        server.close();

        assertThatThrownBy(() -> files.fetch(file))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("rankunit.slurm.files");
    }
}
