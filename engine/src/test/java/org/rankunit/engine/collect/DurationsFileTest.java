package org.rankunit.engine.collect;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.engine.launch.command.JavaOfTests;
import org.rankunit.engine.plan.Durations;
import org.rankunit.engine.plan.Recorded;

@Tag("ranks")
class DurationsFileTest {

    private final List<String> told = new ArrayList<>();
    private Path folder;
    private Path path;
    private DurationsFile file;

    @BeforeEach
    void useAFileThatIsNotThere(@TempDir Path temp) {
        folder = temp.resolve("where");
        path = folder.resolve("durations.json");
        file = new DurationsFile(path, true, told::add);
    }

    @Test
    void withoutAFileNothingIsKnownAndNothingSaid() {
        assertThat(file.read()).isEqualTo(Durations.NONE);
        assertThat(told).isEmpty();
    }

    @Test
    void whatIsAddedIsReadByTheNextRun() {
        file.add(one("A", 5), Durations.NONE);
        file.add(one("B", 7), Durations.NONE);
        file.add(one("A", 6), Durations.NONE);

        assertThat(file.read().classes().keySet()).containsExactly("A", "B");
        assertThat(file.read().classes()).containsEntry("A", Map.of("method:a() [2 ranks, a2a3sim]", recorded(5L, 6L)));
        assertThat(told).isEmpty();
    }

    @Test
    void whereNothingWasMeasuredNothingIsWritten() {
        file.add(Durations.NONE, one("A", 5));

        assertThat(path).doesNotExist();
    }

    @Test
    void nothingIsLeftBesideIt() throws IOException {
        file.add(one("A", 5), Durations.NONE);

        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactly(path);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{\"cut off",
                "# Read me",
                "{\"version\":1,\"classes\":{},\"starts\":{},\"more\":1}",
                "{\"version\":2,\"classes\":{},\"starts\":{}}",
                "{\"version\":1,\"classes\":null,\"starts\":{}}",
                "{\"version\":1,\"classes\":{\"A\":{\"a\":{\"platform\":\"a5\",\"ranks\":1,\"last\":\"soon\",\"micros\":[1]}}},\"starts\":{}}"
            })
    void whatTheUserNamedAndIsNoSuchFileIsToldOnceAndLeftAlone(String content) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(path, content);

        assertThat(file.read()).isEqualTo(Durations.NONE);
        assertThat(file.read()).isEqualTo(Durations.NONE);
        file.add(one("A", 5), Durations.NONE);

        assertThat(told).singleElement().asString().contains(path + " contains no durations of tests: ");
        assertThat(path).hasContent(content);
    }

    @Test
    void whatIsBrokenAndOursIsToldAndReplaced() throws IOException {
        Files.createDirectories(folder);
        Files.writeString(path, "{\"cut off");
        DurationsFile ours = new DurationsFile(path, false, told::add);

        ours.read();
        ours.add(one("A", 5), Durations.NONE);

        assertThat(told).hasSize(1);
        assertThat(ours.read()).isEqualTo(one("A", 5));
    }

    @Test
    void aPlaceThatCannotBeWrittenFailsNothing() throws IOException {
        Files.writeString(folder, "a file where the folder should be");

        file.add(one("A", 5), Durations.NONE);
        new DurationsFile(path, false, told::add).add(one("A", 5), Durations.NONE);

        assertThat(told).singleElement().asString().contains(path + " cannot be written");
    }

    @Test
    void aFolderInItsPlaceFailsNothing() throws IOException {
        Files.createDirectories(path);

        assertThat(file.read()).isEqualTo(Durations.NONE);
        file.add(one("A", 5), Durations.NONE);

        assertThat(told).hasSize(1);
    }

    @Test
    void whoeverWritesAtTheSameTimeLosesNothing() throws InterruptedException, ExecutionException {
        ExecutorService writers = Executors.newFixedThreadPool(4);
        try {
            List<Future<?>> writes = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                Durations measured = one("Class" + i, i);
                writes.add(
                        writers.submit(() -> new DurationsFile(path, true, told::add).add(measured, Durations.NONE)));
            }
            for (Future<?> write : writes) {
                write.get();
            }
        } finally {
            writers.shutdownNow();
        }

        assertThat(file.read().classes()).hasSize(40);
    }

    @Test
    void processesThatWriteAtTheSameTimeLoseNothing(@TempDir Path cache) throws IOException, InterruptedException {
        assertThat(write(cache, "A", "B", "C")).containsOnly(0);

        assertThat(file.read().classes()).hasSize(3 * Writer.CLASSES);
    }

    @Test
    void withoutAPlaceForItsLockItIsWrittenAllTheSame(@TempDir Path cache) throws IOException, InterruptedException {
        Path noFolder = Files.createFile(cache.resolve("file"));

        assertThat(write(noFolder, "A")).containsOnly(0);

        assertThat(file.read().classes()).hasSize(Writer.CLASSES);
    }

    /** Let processes write, one for each of these names, and get how they exited. */
    private List<Integer> write(Path cache, String... names) throws IOException, InterruptedException {
        List<Process> writers = new ArrayList<>();
        for (String name : names) {
            ProcessBuilder builder = new ProcessBuilder(JavaOfTests.command(
                            "-Xmx64m",
                            "-cp",
                            System.getProperty("java.class.path"),
                            Writer.class.getName(),
                            path.toString(),
                            name))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD);
            builder.environment().put("XDG_CACHE_HOME", cache.toString());
            writers.add(builder.start());
        }
        List<Integer> exits = new ArrayList<>();
        try {
            for (Process writer : writers) {
                exits.add(writer.waitFor(60, TimeUnit.SECONDS) ? writer.exitValue() : -1);
            }
        } finally {
            writers.forEach(Process::destroyForcibly);
        }
        return exits;
    }

    /** Adds one class after the other, in a process of its own. */
    static final class Writer {

        static final int CLASSES = 25;

        public static void main(String[] args) {
            DurationsFile file = new DurationsFile(Path.of(args[0]), true, System.out::println);
            for (int i = 0; i < CLASSES; i++) {
                file.add(one(args[1] + i, i), Durations.NONE);
            }
        }
    }

    @Test
    void theSameContentHasTheSameFingerprint() {
        file.add(one("A", 5), Durations.NONE);

        assertThat(DurationsFile.fingerprint(file.read()))
                .isEqualTo(DurationsFile.fingerprint(one("A", 5)))
                .isNotEqualTo(DurationsFile.fingerprint(one("A", 6)))
                .matches("[0-9a-f]{8}");
    }

    private static Durations one(String className, long micros) {
        return Durations.of(Map.of(className, Map.of("method:a() [2 ranks, a2a3sim]", recorded(micros))), Map.of());
    }

    private static Recorded recorded(Long... micros) {
        return new Recorded("a2a3sim", 2, "2026-03-01", List.of(micros));
    }
}
