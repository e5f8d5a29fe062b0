package org.rankunit.engine.launch.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who looks for leftovers finds what there is. */
@Tag("ranks")
class RunLeftoversTest {

    @Test
    void aForeignProcessIsFoundByItsCommandAndByTheFilesItHasOpen(@TempDir Path folder) throws Exception {
        Files.createDirectory(folder.resolve("rankunit-" + System.getProperty("user.name") + "-sessions"));
        Path named = Files.createFile(folder.resolve("named"));
        Process process = new ProcessBuilder("tail", "-f", named.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (RunLeftovers leftovers = RunLeftovers.watch(folder)) {
            // It has nothing to say, so the first byte is that of a file that it has opened.
            Files.writeString(named, "x");
            assertThat(process.getInputStream().read()).isEqualTo('x');

            assertThat(leftovers.all(1))
                    .anyMatch(left -> left.startsWith("process /proc/" + process.pid()))
                    .anyMatch(left -> left.startsWith("open file " + named + " of /proc/" + process.pid()));

            process.destroyForcibly().waitFor();
            assertThat(leftovers.all(1)).isEmpty();
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void aSocketOfThisProcessIsFoundUntilItIsClosed() throws IOException {
        OwnTraces own = OwnTraces.now();
        try (ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            assertThat(own.added(Duration.ZERO)).anyMatch(added -> added.contains("socket:"));
            assertThat(socket.isOpen()).isTrue();
        }
        assertThat(own.added(Duration.ofSeconds(5))).isEmpty();
    }

    @Test
    void aThreadOfThisProcessIsFoundUntilItEnds() throws Exception {
        OwnTraces own = OwnTraces.now();
        CountDownLatch end = new CountDownLatch(1);
        Thread thread = new Thread(() -> {
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        thread.setName("rankunit-left");
        thread.start();
        assertThat(own.added(Duration.ZERO)).anyMatch(added -> added.endsWith("rankunit-left"));

        end.countDown();
        thread.join();
        assertThat(own.added(Duration.ofSeconds(5))).isEmpty();
    }
}
