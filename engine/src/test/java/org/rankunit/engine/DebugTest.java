package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.DeviceCount;
import org.rankunit.Platforms;
import org.rankunit.RankContext;

/** A rank waits for a debugger, and this test is the debugger. */
@Tag("ranks")
@Timeout(120)
class DebugTest {

    private static final Pattern ATTACH =
            Pattern.compile("rankunit: rank 1 \\(device 1, pid \\d+\\) waits for a debugger:"
                    + " attach to 127\\.0\\.0\\.1:(\\d+)\\. Time-outs are off in this run\\.\n"
                    + "Listening for transport dt_socket at address: \\1\n");

    @TempDir
    Path folder;

    @DeviceCount(2)
    @Platforms("a2a3sim")
    static class Debugged {

        @Test
        @Timeout(value = 1, unit = TimeUnit.NANOSECONDS)
        void meets(RankContext rank) {
            rank.barrier();
        }
    }

    @Test
    void aRankWaitsForADebuggerAndNoTimeOutHolds() throws Exception {
        PrintStream usual = System.out;
        Announced announced = new Announced(ATTACH);
        System.setOut(new PrintStream(announced, true, StandardCharsets.UTF_8));
        try {
            CompletableFuture<EngineRun> run = CompletableFuture.supplyAsync(() -> EngineRun.printing(
                    folder,
                    Map.of(
                            "rankunit.debug", "1",
                            "rankunit.bootstrap-timeout", "1ms",
                            "rankunit.test-timeout", "1ms"),
                    Debugged.class));
            int port = announced.port.get(60, TimeUnit.SECONDS);
            attachAndResume(port);

            assertThat(run.get(60, TimeUnit.SECONDS).results(Debugged.class))
                    .containsExactly("SUCCESSFUL meets(RankContext)");
        } finally {
            System.setOut(usual);
        }
    }

    @Test
    void aRankThatNoTestHasIsRefused() {
        EngineRun run = EngineRun.of(folder, Map.of("rankunit.debug", "2,7"), Debugged.class);

        assertThat(run.message(Debugged.class, "meets(RankContext)"))
                .isEqualTo("rankunit.debug names rank 2, but no test of this run has such a rank: the largest has 2"
                        + " ranks, counted from 0.");
    }

    /** As the Java Debug Wire Protocol has it: a handshake, then packets; command 9 of set 1 resumes the JVM. */
    private static void attachAndResume(int port) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            byte[] handshake = "JDWP-Handshake".getBytes(StandardCharsets.US_ASCII);
            out.write(handshake);
            DataInputStream in = new DataInputStream(socket.getInputStream());
            assertThat(in.readNBytes(handshake.length)).isEqualTo(handshake);
            out.writeInt(11);
            out.writeInt(1);
            out.write(new byte[] {0, 1, 9});
            out.flush();
            // The JVM tells of its start, and answers; then we leave, and it runs on.
            boolean answered = false;
            while (!answered) {
                int length = in.readInt();
                int id = in.readInt();
                answered = id == 1 && in.readByte() != 0;
                in.skipNBytes(length - 8 - (id == 1 ? 1 : 0));
            }
        }
    }

    /** What is printed, until it has what we wait for. */
    private static final class Announced extends ByteArrayOutputStream {

        private final Pattern pattern;
        private final CompletableFuture<Integer> port = new CompletableFuture<>();

        Announced(Pattern pattern) {
            this.pattern = pattern;
        }

        @Override
        public synchronized void flush() {
            Matcher found = pattern.matcher(toString(StandardCharsets.UTF_8));
            if (found.find()) {
                port.complete(Integer.valueOf(found.group(1)));
            }
        }
    }
}
