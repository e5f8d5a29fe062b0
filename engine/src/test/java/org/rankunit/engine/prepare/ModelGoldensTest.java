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
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.Buffer;
import org.rankunit.DType;
import org.rankunit.Placement;
import org.rankunit.Values;
import org.rankunit.engine.compile.cache.KernelCache;
import org.rankunit.engine.prepare.model.ModelAnswer;
import org.rankunit.engine.prepare.model.ModelRequest;
import org.rankunit.engine.prepare.model.ModelWork;
import org.rankunit.engine.protocol.BufferDeclaration;
import org.rankunit.engine.protocol.TestDeclaration;
import org.rankunit.engine.protocol.TestSelection;
import org.rankunit.engine.protocol.Variant;
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
    }

    /** Computes models in this JVM. */
    private static final Models HERE = new Models() {

        @Override
        public ModelAnswer compute(ModelRequest request, Path into) throws IOException, InterruptedException {
            return ModelWork.compute(request, into);
        }

        @Override
        public void close() {}
    };

    private Models models = HERE;

    /** A model that uses another class and a resource, and counts its calls in a file. */
    private void compile(int first) throws IOException {
        Path source = Files.createDirectories(folder.resolve("source"));
        Files.writeString(
                source.resolve("First.java"), "class First { static int value() { return %d; } }".formatted(first));
        Files.writeString(source.resolve("Unrelated.java"), "class Unrelated {}");
        Files.writeString(source.resolve("Using.java"), """
                import java.nio.file.*;
                import org.rankunit.golden.model.*;
                public class Using implements RankModel {
                    public void compute(ModelRank rank, ModelData data) throws Exception {
                        Files.writeString(Path.of("%s"), "x", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                        java.io.InputStream second = Using.class.getResourceAsStream("/second.txt");
                        data.output("output", First.value() + rank.intParameter("more", 0), second == null ? 0 : second.read());
                    }
                }
                """.formatted(calls()));
        List<String> arguments = new ArrayList<>(List.of(
                "-proc:none",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                "-d",
                folder.resolve("classes").toString()));
        for (String each : List.of("First", "Unrelated", "Using")) {
            arguments.add(source.resolve(each + ".java").toString());
        }
        int status = ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new));
        assertThat(status).isZero();
    }

    private Path calls() {
        return folder.resolve("calls");
    }

    private int callsOfUsing() throws IOException {
        return Files.readString(calls()).length() / TWICE_ON_ALL_RANKS;
    }

    private TestSelection.Goldens made(Map<String, String> parameters) throws Exception {
        return made(Counting.class.getName(), parameters).goldens();
    }

    private ModelGoldens.Ready made(String model, Map<String, String> parameters) throws Exception {
        GoldenSettings settings = new GoldenSettings(
                folder,
                folder.resolve("out"),
                Files.createDirectories(folder.resolve("session")),
                folder.resolve("cache"),
                List.of(folder.resolve("frameworks")),
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
                        new TestDeclaration.GoldenSource("Test", model, "", model, false),
                        0),
                "a2a3sim",
                parameters);
        return new ModelGoldens(settings, models).of(variant, "actual");
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
    void anotherParameterAndOtherClassesOfOursAreComputed() throws Exception {
        made(Map.of());
        assertThat(output(made(Map.of("rankunit.param.first", "9")), 0)).isEqualTo(Values.uint8(9, 0));
        assertThat(CALLS).hasValue(2 * TWICE_ON_ALL_RANKS);

        Files.createDirectories(folder.resolve("frameworks"));
        Files.writeString(folder.resolve("frameworks/Ours.class"), "edit");
        made(Map.of());
        assertThat(CALLS).hasValue(3 * TWICE_ON_ALL_RANKS);
    }

    private Values using(Map<String, String> parameters) throws Exception {
        return output(made("Using", parameters).goldens(), 0);
    }

    @Test
    void whatAModelDoesNotUseDoesNotCount() throws Exception {
        compile(3);
        assertThat(using(Map.of())).isEqualTo(Values.uint8(3, 0));

        Files.delete(folder.resolve("classes/Unrelated.class"));
        Files.writeString(folder.resolve("classes/other.txt"), "new");
        assertThat(using(Map.of("rankunit.param.other", "4"))).isEqualTo(Values.uint8(3, 0));
        assertThat(callsOfUsing()).isEqualTo(1);
    }

    @Test
    void aClassThatAModelUsesCounts() throws Exception {
        compile(3);
        using(Map.of());
        compile(5);
        assertThat(using(Map.of())).isEqualTo(Values.uint8(5, 0));
        assertThat(callsOfUsing()).isEqualTo(2);

        compile(3);
        assertThat(using(Map.of())).isEqualTo(Values.uint8(3, 0));
        assertThat(callsOfUsing()).as("both results are kept").isEqualTo(2);
    }

    @Test
    void aResourceThatAModelLookedForCounts() throws Exception {
        compile(3);
        using(Map.of());
        Files.writeString(folder.resolve("classes/second.txt"), "A");
        assertThat(using(Map.of())).isEqualTo(Values.uint8(3, 'A'));
        Files.writeString(folder.resolve("classes/second.txt"), "B");
        assertThat(using(Map.of())).isEqualTo(Values.uint8(3, 'B'));
        assertThat(callsOfUsing()).isEqualTo(3);
    }

    @Test
    void aParameterThatAModelAskedForCounts() throws Exception {
        compile(3);
        using(Map.of());
        assertThat(using(Map.of("rankunit.param.more", "4"))).isEqualTo(Values.uint8(7, 0));
        assertThat(callsOfUsing()).isEqualTo(2);
    }

    @Test
    void afterAFailureItIsSaidThatAResultWasKept() throws Exception {
        assertThat(made(Counting.class.getName(), Map.of()).kept()).isEmpty();
        ModelGoldens.Ready again = made(Counting.class.getName(), Map.of());
        assertThat(again.kept())
                .startsWith("expected outputs: kept since 20")
                .contains(Counting.class.getName() + " was computed; remove " + again.entry())
                .endsWith(" to compute it again");
    }

    @Test
    void whatWasUsedLongestAgoIsRemovedFirst() throws Exception {
        List<Path> entries = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Path entry = made(Counting.class.getName(), Map.of("rankunit.param.first", "" + i))
                    .entry();
            Instant used = Instant.now().minus(Duration.ofMinutes(100 - 20L * i));
            Files.setLastModifiedTime(entry.resolve("manifest.json"), FileTime.from(used));
            entries.add(entry);
        }
        long each = sizeOf(entries.get(3));

        GoldenCache.in(folder.resolve("cache")).prune(2 * each + each / 2);

        assertThat(entries.get(0)).doesNotExist();
        assertThat(entries.get(1)).doesNotExist();
        assertThat(entries.get(2)).exists();
        assertThat(entries.get(3)).exists();

        made(Counting.class.getName(), Map.of("rankunit.param.first", "3"));
        GoldenCache.in(folder.resolve("cache")).prune(0);
        assertThat(entries.get(2)).doesNotExist();
        assertThat(entries.get(3)).as("a run may be using it").exists();
    }

    private static long sizeOf(Path entry) throws IOException {
        try (Stream<Path> files = Files.walk(entry)) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
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

    @Test
    void aCacheThatCannotBeUsedAnyMoreIsReplacedForTheRun() throws Exception {
        models = new Models() {

            @Override
            public ModelAnswer compute(ModelRequest request, Path into) throws IOException, InterruptedException {
                if (into.startsWith(folder.resolve("cache"))) {
                    KernelCache.remove(folder.resolve("cache"));
                    Files.writeString(folder.resolve("cache"), "no folder any more");
                }
                return HERE.compute(request, into);
            }

            @Override
            public void close() {}
        };

        TestSelection.Goldens goldens = made(Map.of());

        assertThat(output(goldens, 0)).isEqualTo(Values.uint8(7, 0));
        assertThat(goldens.outputFolder()).startsWith(folder.resolve("session").toString());
        assertThat(printed)
                .singleElement()
                .asString()
                .startsWith("rankunit: results of golden models are not kept after this run: ");
    }
}
