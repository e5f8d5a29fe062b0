package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.DeviceCount;
import org.rankunit.Platforms;
import org.rankunit.RankContext;
import org.rankunit.engine.launch.local.RunLeftovers;
import org.rankunit.engine.protocol.FromRank;
import org.rankunit.engine.protocol.wire.Channel;
import org.rankunit.engine.protocol.wire.Frames;
import org.rankunit.engine.protocol.wire.RecordCodec;

/** Strangers on the same machine, while ranks run. The tests inside the ranks are the strangers. */
@Tag("ranks")
@Timeout(120)
class PendingConnectionsTest {

    private static final int NONE = 65534;
    private static final String FOLDER = "strangers.folder";
    private static final Set<PosixFilePermission> OPEN = PosixFilePermissions.fromString("rwxrwxrwx");

    private static EngineRun run;

    @DeviceCount(2)
    @Platforms("a2a3sim")
    static class Attacked {

        @Test
        void whoDoesNotKnowTheTokenIsTurnedAway(RankContext rank) throws IOException {
            for (FromRank first : List.of(
                    new FromRank.Hello(Channel.PROTOCOL, rank.rank(), "guessed"),
                    new FromRank.Hello(Channel.PROTOCOL, rank.rank(), ""),
                    new FromRank.Hello(Channel.PROTOCOL + 1, -1, ""),
                    new FromRank.RunEnded())) {
                byte[] words = new RecordCodec().encode((Record) first, FromRank.class);
                assertEquals(-1, answerTo(Frames.wrap(words)), first.toString());
            }
            rank.barrier();
        }

        @Test
        void whatIsNoMessageIsTurnedAway(RankContext rank) throws IOException {
            for (String words : List.of("{\"java.util.HashMap\":{}}", "[".repeat(100_000), "no message at all")) {
                assertEquals(-1, answerTo(Frames.wrap(words.getBytes(StandardCharsets.UTF_8))), words);
            }
            rank.barrier();
        }

        @Test
        void aMessageOfImpossibleLengthIsTurnedAway(RankContext rank) throws IOException {
            assertEquals(-1, answerTo(ByteBuffer.wrap(new byte[] {127, -1, -1, -1, 0})));
            assertEquals(-1, answerTo(ByteBuffer.wrap(new byte[] {-1, -1, -1, -1, 0})));
            rank.barrier();
        }

        @Test
        void ofManyThatSayNothingTheOldestAreTurnedAwayAndTheRanksStay(RankContext rank) throws IOException {
            if (rank.rank() == 0) {
                connectAndSayNothing(64);
            }
            rank.barrier();
        }

        private static void connectAndSayNothing(int times) throws IOException {
            List<SocketChannel> silent = new ArrayList<>();
            try {
                for (int i = 0; i < times; i++) {
                    silent.add(SocketChannel.open(UnixDomainSocketAddress.of(control())));
                }
                assertEquals(-1, answerTo(ByteBuffer.allocate(0)));
                for (SocketChannel each : silent) {
                    assertEquals(-1, each.read(ByteBuffer.allocate(16)));
                }
            } finally {
                for (SocketChannel each : silent) {
                    each.close();
                }
            }
        }

        @Test
        void nothingSecretStandsWhereOthersCanRead(RankContext rank) throws IOException {
            Pattern token = Pattern.compile("\\b[0-9a-f]{32}\\b");
            for (String file : List.of("cmdline", "environ")) {
                String text = Files.readString(Path.of("/proc/self", file), StandardCharsets.ISO_8859_1)
                        // The archive of classes has a hash for its name.
                        .replaceAll("[0-9a-f]{32}\\.(jsa|aot)", "");
                assertFalse(token.matcher(text).find(), file);
            }
            rank.barrier();
        }

        @Test
        void anotherUserReachesNeitherSocketNorSegment(RankContext rank) throws Exception {
            assumeTrue(isRoot(), "only root can become somebody else");
            assertTrue(nobodyRuns("true"), "this machine can run a program as nobody");
            assertFalse(nobodyRuns("test", "-e", control().toString()), "the control socket");
            assertFalse(nobodyRuns("ls", "/proc/" + ProcessHandle.current().pid() + "/fd"), "open files of a rank");
            rank.barrier();
        }

        @Test
        void anotherUserIsTurnedAwayBeforeItSaysAWordEvenWhereTheFolderIsOpen(RankContext rank) throws Exception {
            assumeTrue(isRoot(), "only root can become somebody else");
            if (rank.rank() == 0) {
                Path folder = Path.of(System.getProperty(FOLDER));
                Files.setPosixFilePermissions(folder, OPEN);
                for (Path name : folder.relativize(control())) {
                    folder = folder.resolve(name);
                    Files.setPosixFilePermissions(folder, OPEN);
                }
                assertTrue(nobodyRuns("test", "-w", control().toString()), "the socket is open to others");
                assertTrue(nobodyRuns("perl", "-e", HANGS_UP, control().toString(), "30"), "it hangs up on nobody");
                assertFalse(runs(List.of("perl", "-e", HANGS_UP, control().toString(), "1")), "it waits for our words");
            }
            rank.barrier();
        }

        /** Ends well if the other side of a silent connection hangs up in this time. */
        private static final String HANGS_UP = "use Socket; socket(my $s, PF_UNIX, SOCK_STREAM, 0);"
                + " connect($s, pack_sockaddr_un($ARGV[0])) or die $!; vec(my $r, fileno $s, 1) = 1;"
                + " exit(select($r, undef, undef, $ARGV[1]) == 1 && sysread($s, my $b, 1) == 0 ? 0 : 1)";

        /** Connect to the parent and say this; -1 when it hangs up. */
        private static int answerTo(ByteBuffer words) throws IOException {
            try (SocketChannel stranger = SocketChannel.open(UnixDomainSocketAddress.of(control()))) {
                while (words.hasRemaining()) {
                    stranger.write(words);
                }
                return stranger.read(ByteBuffer.allocate(16));
            } catch (IOException e) {
                // It hung up while we were still talking.
                return -1;
            }
        }

        /** The control socket stands on the command line, since its name is no secret. */
        private static Path control() throws IOException {
            String[] words = Files.readString(Path.of("/proc/self/cmdline")).split("\0");
            return Arrays.stream(words)
                    .filter(word -> word.endsWith("/control"))
                    .map(Path::of)
                    .findFirst()
                    .orElseThrow();
        }

        private static boolean isRoot() throws IOException {
            return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
        }

        private static boolean nobodyRuns(String... command) throws Exception {
            String id = Integer.toString(NONE);
            List<String> all = new ArrayList<>(List.of("setpriv", "--reuid=" + id, "--regid=" + id, "--clear-groups"));
            all.addAll(List.of(command));
            return runs(all);
        }

        private static boolean runs(List<String> command) throws Exception {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            assertTrue(process.waitFor(30, TimeUnit.SECONDS), "it ends");
            return process.exitValue() == 0;
        }
    }

    @BeforeAll
    static void attack(@TempDir Path folder) throws IOException {
        System.setProperty(FOLDER, folder.toString());
        try (RunLeftovers leftovers = RunLeftovers.watch(folder)) {
            run = EngineRun.of(folder, Map.of(), Attacked.class);
            assertThat(leftovers.sessions()).isEmpty();
        } finally {
            System.clearProperty(FOLDER);
        }
    }

    @Test
    void noStrangerGetsIn() {
        assertThat(run.results(Attacked.class))
                .allMatch(result -> result.startsWith("SUCCESSFUL ") || result.startsWith("ABORTED anotherUser"))
                .hasSize(7);
        assertThat(run.imbalance()).isEmpty();
    }

    @Test
    void aPlantedLinkFailsEachTestOnceAndSaysWhatToDo(@TempDir Path folder, @TempDir Path elsewhere)
            throws IOException {
        Path planted = folder.resolve("rankunit-" + System.getProperty("user.name") + "-sessions");
        Files.createSymbolicLink(planted, elsewhere);
        try (RunLeftovers leftovers = RunLeftovers.watch(folder)) {
            EngineRun refused = EngineRun.of(folder, Map.of(), Attacked.class);

            assertThat(refused.results(Attacked.class)).hasSize(7).allMatch(result -> result.startsWith("FAILED "));
            assertThat(refused.message(Attacked.class, "whoDoesNotKnowTheTokenIsTurnedAway(RankContext)"))
                    .startsWith("no rank can be started: ")
                    .contains(planted + " is not a folder. Remove it, or set java.io.tmpdir.");
            assertThat(refused.imbalance()).isEmpty();
            assertThat(leftovers.devicesInUse(16)).isEmpty();
        }
        assertThat(elsewhere).isEmptyDirectory();
    }
}
