package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.Buffer;
import org.rankunit.DType;
import org.rankunit.DeviceCount;
import org.rankunit.GoldenFiles;
import org.rankunit.Platforms;
import org.rankunit.RankContext;
import org.rankunit.Values;
import org.rankunit.golden.files.ValueFiles;

/** What golden files do in whole runs. */
@Tag("ranks")
@Timeout(120)
class GoldenFilesTest {

    /** Below the folder of the module, where a build may write. */
    private static final String FOLDER = "target/golden-files-test";

    @DeviceCount(2)
    @Platforms("a2a3sim")
    @Buffer(name = "input", type = DType.FLOAT16, count = 2, role = Buffer.Role.INPUT)
    @Buffer(
            name = "state",
            type = DType.INT32,
            shape = {1, 2},
            role = Buffer.Role.INOUT)
    @Buffer(name = "output", type = DType.FLOAT32, count = 2, role = Buffer.Role.OUTPUT)
    @GoldenFiles(FOLDER)
    @TestMethodOrder(MethodOrderer.MethodName.class)
    static class FromFiles {

        @Test
        void doubles(RankContext rank) {
            float[] input = rank.buffer("input").readFloats();
            int[] state = rank.buffer("state").readInts();
            rank.buffer("output").write(2 * input[0], 2 * input[1]);
            rank.buffer("state").write(state[0] + 1, state[1] + 1);
        }
    }

    @DeviceCount(2)
    @Platforms("a2a3sim")
    @Buffer(name = "output", type = DType.FLOAT32, count = 2, role = Buffer.Role.OUTPUT)
    @GoldenFiles("target/no-such-folder")
    static class NoFolder {

        @Test
        void neverRuns() {}
    }

    @TempDir
    Path temporary;

    private final Path folder = Path.of(FOLDER).toAbsolutePath();

    @BeforeEach
    void inputs() throws IOException {
        for (int rank = 0; rank < 2; rank++) {
            Path own = Files.createDirectories(folder.resolve("rank_" + rank));
            for (String name : own.toFile().list()) {
                Files.delete(own.resolve(name));
            }
            ValueFiles.write(own.resolve("input.npy"), Values.float16(rank, 3));
            ValueFiles.write(own.resolve("state.bin"), Values.int32(rank, 5));
        }
    }

    private void expected() {
        for (int rank = 0; rank < 2; rank++) {
            Path own = folder.resolve("rank_" + rank);
            ValueFiles.write(own.resolve("output.npz"), Values.float32(2 * rank, 6));
            ValueFiles.write(own.resolve("state.expected.bin"), Values.int32(rank + 1, 6));
        }
    }

    private EngineRun run(Map<String, String> parameters) {
        return EngineRun.of(temporary, parameters, FromFiles.class);
    }

    private String messageWhenRefused() {
        EngineRun run = run(Map.of());
        assertThat(run.results(FromFiles.class)).allMatch(result -> result.startsWith("FAILED"));
        assertThat(temporary.resolve("out").resolve("logs")).doesNotExist();
        return run.message(FromFiles.class, "doubles(RankContext)");
    }

    @Test
    void inputsAndExpectedOutputsComeFromFilesOfAnyFormat() {
        expected();
        assertThat(run(Map.of()).results(FromFiles.class)).allMatch(result -> result.startsWith("SUCCESSFUL"));
        assertThat(temporary.resolve("out").resolve("actual")).doesNotExist();
    }

    @Test
    void aWrongOutputIsReportedAndWrittenLikeTheFiles() {
        expected();
        ValueFiles.write(folder.resolve("rank_1/output.npz"), Values.float32(2, 7));

        String message = run(Map.of()).message(FromFiles.class, "doubles(RankContext)");

        assertThat(message).contains("failed on rank 1", "output: 1 of 2 elements differs", "actual outputs: ");
        Path actual = Path.of(message.replaceAll("(?s).*actual outputs: (\\S+).*", "$1"));
        for (int rank = 0; rank < 2; rank++) {
            Path own = actual.resolve("rank_" + rank);
            assertThat(ValueFiles.read(own.resolve("output.npy"))).isEqualTo(Values.float32(2 * rank, 6));
            assertThat(ValueFiles.read(own.resolve("state.expected.npy"))).isEqualTo(Values.int32(rank + 1, 6));
        }
    }

    @Test
    void updateWritesWhatTheTestPutsOut() throws IOException {
        ValueFiles.write(folder.resolve("rank_0/output.bin"), Values.float32(9, 9));

        EngineRun run = run(Map.of("rankunit.golden", "update"));

        assertThat(run.results(FromFiles.class)).allMatch(result -> result.startsWith("SUCCESSFUL"));
        assertThat(run.output())
                .contains(
                        "golden updated, not verified: " + folder,
                        "rankunit: rankunit.golden is update: golden files are written and not compared, so a test with"
                                + " golden files that passes is not verified")
                .doesNotContain("goldens were skipped");
        assertThat(Files.readString(temporary.resolve("out/report.json")))
                .contains("\"updated, not verified\"")
                .doesNotContain("allclose");
        assertThat(folder.resolve("rank_0/output.bin")).doesNotExist();
        assertThat(ValueFiles.read(folder.resolve("rank_0/output.npy"))).isEqualTo(Values.float32(0, 6));
        assertThat(ValueFiles.read(folder.resolve("rank_1/state.expected.npy"))).isEqualTo(Values.int32(2, 6));
        assertThat(run(Map.of()).results(FromFiles.class)).allMatch(result -> result.startsWith("SUCCESSFUL"));
    }

    @Test
    void skippedGoldensCompareNothingAndSaySo() throws IOException {
        expected();
        ValueFiles.write(folder.resolve("rank_1/output.npz"), Values.float32(2, 7));

        EngineRun run = run(Map.of("rankunit.golden", "skip"));

        assertThat(run.results(FromFiles.class)).allMatch(result -> result.startsWith("SUCCESSFUL"));
        assertThat(run.output())
                .contains(
                        "rankunit: rankunit.golden is skip: no output is compared with a golden, so a test that passes"
                                + " is not verified");
        assertThat(Files.readString(temporary.resolve("out/report.json")))
                .contains("\"not verified\"")
                .doesNotContain("allclose");
        assertThat(temporary.resolve("out").resolve("actual")).doesNotExist();
    }

    @Test
    void aMissingFileIsNamed() throws IOException {
        expected();
        Files.delete(folder.resolve("rank_1/output.npz"));
        assertThat(messageWhenRefused())
                .contains("GoldenFilesTest$FromFiles: @GoldenFiles(\"" + FOLDER + "\"): " + folder.resolve("rank_1")
                        + ": there is no file output.npy, output.npz or output.bin. Expected outputs are written by a run"
                        + " with rankunit.golden=update.");
        expected();
        Files.delete(folder.resolve("rank_1/input.npy"));
        assertThat(messageWhenRefused())
                .contains(folder.resolve("rank_1")
                        + ": there is no file input.npy, input.npz or input.bin. It is an input"
                        + " of the test, which no run writes.")
                .doesNotContain("update");
    }

    @Test
    void aFileOfAnotherTypeOrSizeIsNamed() {
        expected();
        ValueFiles.write(folder.resolve("rank_0/input.npy"), Values.float32(1, 2));
        assertThat(messageWhenRefused())
                .contains(folder.resolve("rank_0/input.npy")
                        + ": has elements of type <f4, and float16 is expected, which is '<f2'. Write it in that type, or"
                        + " declare the file's.");
        ValueFiles.write(folder.resolve("rank_0/input.npy"), Values.float16(1, 2, 3));
        assertThat(messageWhenRefused())
                .contains(folder.resolve("rank_0/input.npy")
                        + ": has 3 x float16, and the buffer 'input' has 2. Write a file of that size, or declare the"
                        + " buffer with the file's.");
    }

    @Test
    void aTruncatedFileAndTwoFilesOfOneBufferAreNamed() throws IOException {
        expected();
        Path input = folder.resolve("rank_1/input.npy");
        byte[] whole = Files.readAllBytes(input);
        Files.write(input, java.util.Arrays.copyOf(whole, whole.length - 1));
        assertThat(messageWhenRefused())
                .contains(
                        input + ": is truncated: its header promises (2,) of float16, which are 4 bytes, and 3 follow."
                                + " Write it again.");
        Files.write(input, whole);
        ValueFiles.write(folder.resolve("rank_1/input.bin"), Values.float16(1, 2));
        assertThat(messageWhenRefused())
                .contains(folder.resolve("rank_1") + ": has input.npy and input.bin. Remove one of them.");
    }

    @Test
    void aMissingFolderIsNamed() {
        EngineRun run = EngineRun.of(temporary, Map.of(), NoFolder.class);
        assertThat(run.message(NoFolder.class, "neverRuns()"))
                .contains("GoldenFilesTest$NoFolder: @GoldenFiles(\"target/no-such-folder\"): there is no folder "
                        + Path.of("target/no-such-folder").toAbsolutePath() + ", and none with that name on the class"
                        + " path. Create it with rank_0/<buffer>.npy and so on, or write the expected outputs by a run"
                        + " with rankunit.golden=update.");
    }
}
