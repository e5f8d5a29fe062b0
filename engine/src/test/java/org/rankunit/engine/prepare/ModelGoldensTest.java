package org.rankunit.engine.prepare;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.Buffer;
import org.rankunit.DType;
import org.rankunit.Placement;
import org.rankunit.Values;
import org.rankunit.engine.control.BufferDeclaration;
import org.rankunit.engine.control.TestDeclaration;
import org.rankunit.engine.control.TestSelection;
import org.rankunit.golden.files.RankFiles;
import org.rankunit.golden.files.ValueFiles;
import org.rankunit.golden.model.ModelData;
import org.rankunit.golden.model.ModelRank;
import org.rankunit.golden.model.RankModel;

/** When a model is computed, and when its results are used again. */
@Tag("unit")
class ModelGoldensTest {

    private static final AtomicInteger CALLS = new AtomicInteger();
    private static final int RANKS = 2;
    private static final int TWICE_ON_ALL_RANKS = 2 * RANKS;

    static class Counting implements RankModel {
        @Override
        public void compute(ModelRank rank, ModelData data) {
            CALLS.incrementAndGet();
            if (rank.rank() == 0) {
                data.input("input", rank.shape("input"));
            }
            data.output("output", rank.intParameter("first", 7), rank.rank());
        }
    }

    @TempDir
    Path folder;

    private final List<String> printed = new ArrayList<>();

    @BeforeEach
    void nothingIsComputed() throws IOException {
        CALLS.set(0);
        Files.createDirectories(folder.resolve("classes"));
        Files.writeString(folder.resolve("classes/Model.class"), "code");
    }

    private TestSelection.Goldens made(Map<String, String> parameters) throws Exception {
        GoldenSettings settings = new GoldenSettings(
                folder,
                folder.resolve("out"),
                Files.createDirectories(folder.resolve("session")),
                folder.resolve("cache"),
                List.of(folder.resolve("classes")),
                parameters,
                Optional.of(Duration.ofMinutes(1)),
                false,
                printed::add);
        TestDeclaration test = TestDeclaration.plain("Test.method", RANKS);
        Variant variant = new Variant(
                new TestDeclaration(
                        test.place(),
                        RANKS,
                        0,
                        true,
                        List.of(),
                        List.of(
                                new BufferDeclaration(
                                        "input",
                                        DType.INT32,
                                        2,
                                        Placement.DEVICE,
                                        List.of(1, 2),
                                        Buffer.Role.INPUT,
                                        false,
                                        "Test"),
                                new BufferDeclaration(
                                        "output",
                                        DType.UINT8,
                                        2,
                                        Placement.DEVICE,
                                        List.of(),
                                        Buffer.Role.OUTPUT,
                                        false,
                                        "Test")),
                        List.of(),
                        0,
                        "",
                        null,
                        0,
                        TestDeclaration.Rounds.ONCE,
                        null,
                        new TestDeclaration.GoldenSource(
                                "Test", Counting.class.getName(), "", Counting.class.getName()),
                        0),
                "a2a3sim",
                parameters);
        return new ModelGoldens(settings).of(variant, "actual");
    }

    private static Values output(TestSelection.Goldens goldens, int rank) {
        return ValueFiles.read(
                RankFiles.of(Path.of(goldens.outputFolder()), rank).required("output"), DType.UINT8);
    }

    @Test
    void everyRankHasItsFilesAndWhatIsNotGivenIsZero() throws Exception {
        TestSelection.Goldens goldens = made(Map.of());

        assertThat(output(goldens, 0)).isEqualTo(Values.uint8(7, 0));
        assertThat(output(goldens, 1)).isEqualTo(Values.uint8(7, 1));
        assertThat(goldens.inputs()).containsExactly("input");
        assertThat(input(goldens, 0)).isEqualTo(Values.int32(1, 2));
        assertThat(input(goldens, 1)).isEqualTo(Values.int32(0, 0));
        assertThat(CALLS).hasValue(TWICE_ON_ALL_RANKS);
    }

    private static Values input(TestSelection.Goldens goldens, int rank) {
        return ValueFiles.read(
                RankFiles.of(Path.of(goldens.inputFolder()), rank).required("input"), DType.INT32);
    }

    @Test
    void resultsAreUsedAgainInLaterRuns() throws Exception {
        TestSelection.Goldens first = made(Map.of());

        assertThat(made(Map.of())).isEqualTo(first);
        assertThat(CALLS).hasValue(TWICE_ON_ALL_RANKS);
    }

    @Test
    void anotherParameterAndAnotherClassPathAreComputed() throws Exception {
        made(Map.of());
        assertThat(output(made(Map.of("rankunit.param.first", "9")), 0)).isEqualTo(Values.uint8(9, 0));
        assertThat(CALLS).hasValue(2 * TWICE_ON_ALL_RANKS);

        Files.writeString(folder.resolve("classes/Model.class"), "edit");
        made(Map.of());
        assertThat(CALLS).hasValue(3 * TWICE_ON_ALL_RANKS);
    }

    @Test
    void aDamagedResultIsComputedAgain() throws Exception {
        Path file = RankFiles.of(Path.of(made(Map.of()).outputFolder()), 1).required("output");
        Files.write(file, new byte[1]);

        assertThat(output(made(Map.of()), 1)).isEqualTo(Values.uint8(7, 1));
        assertThat(CALLS).hasValue(2 * TWICE_ON_ALL_RANKS);
    }

    @Test
    void whatWasNotUsedForLongIsRemoved() throws Exception {
        Path entry = Path.of(made(Map.of()).outputFolder())
                .resolveSibling("manifest.json")
                .resolve("..")
                .normalize();
        Path left = Files.createDirectories(folder.resolve("cache/new-of-a-killed-process"));
        FileTime longAgo = FileTime.from(Instant.now().minus(Duration.ofDays(15)));
        Files.setLastModifiedTime(entry.resolve("manifest.json"), longAgo);
        Files.setLastModifiedTime(left, longAgo);

        made(Map.of("rankunit.param.first", "9"));

        assertThat(entry).doesNotExist();
        assertThat(left).doesNotExist();
    }

    @Test
    void resultsThatCannotBeKeptLastAsLongAsTheRun() throws Exception {
        Files.writeString(folder.resolve("cache"), "no folder");

        TestSelection.Goldens goldens = made(Map.of());

        assertThat(output(goldens, 0)).isEqualTo(Values.uint8(7, 0));
        assertThat(goldens.outputFolder()).startsWith(folder.resolve("session").toString());
        assertThat(printed)
                .singleElement()
                .asString()
                .startsWith("rankunit: results of golden models are not kept after this run: ");
    }
}
