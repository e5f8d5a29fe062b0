package org.rankunit.engine.launch.command;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.rankunit.comm.jna.load.UnpackedLibraries;
import org.rankunit.engine.config.files.CacheFolder;

/**
 * The archive of classes from which the ranks of all these tests start. On a busy machine no run would wait long enough for it, and
 * each would build it again in vain.
 */
public final class ArchiveOfTests {

    private static final Duration LONG = Duration.ofMinutes(5);

    private ArchiveOfTests() {}

    /** Build the archive, unless this JVM or another fork has been here before. Without jars there is none, as in most IDEs. */
    public static void prepare() {
        Built.once();
    }

    /** Arguments of ranks that start from it, if there is one, although the cache of their run is not that of these tests. */
    public static List<String> arguments() {
        return Built.ARGUMENTS;
    }

    private static final class Built {

        /** Without an archive, what keeps a run from making one. */
        private static final List<String> ARGUMENTS;

        static {
            List<String> arguments = List.of();
            try {
                arguments = build();
            } catch (IOException e) {
                // Ranks start without it, and slower.
                System.err.println("no archive of classes for the ranks of these tests: " + e);
            }
            ARGUMENTS = arguments.isEmpty() ? List.of("-Xshare:auto") : arguments;
        }

        private Built() {}

        /** Initialize this class. */
        static void once() {}

        private static List<String> build() throws IOException {
            Path archives = CacheFolder.of("classes");
            Optional<ClassArchive> archive =
                    ClassArchive.in(archives, RankClassPath.ofThisJvm().frameworks(), LONG);
            if (archive.isEmpty()) {
                return List.of();
            }
            Path folder = Files.createTempDirectory("rankunit-archive");
            try (FileChannel lock = FileChannel.open(
                            archives.resolve("tests.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock alone = lock.lock();
                    ClassArchive building = archive.get()) {
                if (alone.isValid()) {
                    building.buildInBackground(java(folder), folder);
                }
            } finally {
                delete(folder);
            }
            return archive.get().arguments();
        }

        private static List<String> java(Path folder) throws IOException {
            List<String> java = new ArrayList<>();
            java.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            java.addAll(new StartOptions(List.of(), Runtime.getRuntime().availableProcessors(), true).ofAll());
            UnpackedLibraries.into(folder).forEach((key, value) -> java.add("-D" + key + "=" + value));
            return java;
        }

        private static void delete(Path folder) throws IOException {
            List<Path> all;
            try (Stream<Path> files = Files.walk(folder)) {
                all = files.sorted(Comparator.reverseOrder()).toList();
            }
            for (Path each : all) {
                Files.delete(each);
            }
        }
    }
}
