package org.rankunit.engine.launch.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Archives built by real JVMs, and real JVMs that start from them. */
@Tag("ranks")
@Timeout(1200)
class ClassArchiveTest {

    /** The builder is nice to other processes, so it gets few turns while these compile on all cores. */
    private static final Duration LONG = Duration.ofMinutes(10);

    private static final List<String> JAVA = List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "--enable-native-access=ALL-UNNAMED");

    /** What ranks have in front of their class path, all of it in jars, as users have it. */
    private static List<Path> jars = List.of();

    @TempDir
    Path folder;

    @BeforeAll
    static void packTheModulesOfThisBuild(@TempDir Path packed) throws IOException {
        List<Path> all = new ArrayList<>();
        for (Path entry : RankClassPath.ofThisJvm().frameworks()) {
            Path jar = packed.resolve(all.size() + ".jar");
            all.add(Files.isDirectory(entry) ? pack(entry, jar) : isTakenFrom(entry) ? entry : Files.copy(entry, jar));
        }
        jars = List.copyOf(all);
    }

    @Test
    void isBuiltBesideARunAndRanksLoadTheirClassesFromIt() throws Exception {
        ClassArchive archive = archive();
        assertThat(archive.arguments()).isEmpty();

        build(archive, "first");

        assertThat(files()).hasSize(1);
        String log = train(archive, "-Xlog:class+load");
        assertThat(log)
                .containsPattern("org\\.rankunit\\.engine\\.rank\\.RankServer source: shared objects file")
                .as("what a rank needs when its test fails")
                .containsPattern("org\\.rankunit\\.engine\\.protocol\\.Failure source: shared objects file")
                .containsPattern("org\\.junit\\.platform\\.launcher\\.core\\.\\w+ source: shared objects file");
    }

    @Test
    void isBuiltOnce() throws Exception {
        build(archive(), "first");
        List<Path> built = files();
        Files.setLastModifiedTime(built.get(0), java.nio.file.attribute.FileTime.fromMillis(1));

        build(archive(), "second");

        assertThat(built.get(0).toFile().lastModified()).isEqualTo(1);
    }

    @Test
    void severalProcessesMayBuildItAtTheSameTime() throws Exception {
        CompletableFuture<Void> other = CompletableFuture.runAsync(() -> build(archive(), "first"));
        build(archive(), "second");
        other.get(LONG.toMinutes(), TimeUnit.MINUTES);

        assertThat(files()).hasSize(1);
        assertThat(train(archive(), "-Xlog:class+load")).contains("RankServer source: shared objects file");
    }

    @Test
    void whatIsNoArchiveIsPassedOverInSilence() throws Exception {
        build(archive(), "first");
        Path built = files().get(0);
        built.toFile().setWritable(true);
        Files.writeString(built, "no archive");

        assertThat(train(archive(), "-Xss1m")).isEmpty();
    }

    @Test
    void isNotUsedFromAFolderThatOthersMayWrite() throws Exception {
        Files.createDirectory(cache());
        Files.setPosixFilePermissions(cache(), PosixFilePermissions.fromString("rwxrwxrwx"));

        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream usual = System.out;
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            assertThat(ClassArchive.in(cache(), jars, LONG)).isEmpty();
        } finally {
            System.setOut(usual);
        }
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .isEqualToIgnoringNewLines(
                        "rankunit: ranks start without a class archive, and so more slowly: " + cache()
                                + " is writable by others (rwxrwxrwx). Remove it, or set XDG_CACHE_HOME to a folder of your"
                                + " own.");
    }

    @Test
    void isNotUsedIfSomebodyElseMadeIt() throws Exception {
        ClassArchive archive = archive();
        build(archive, "first");
        assertThat(archive.arguments()).isNotEmpty();
        assumeTrue(Files.isWritable(Path.of("/etc/passwd")), "only root can give a file away");

        Files.setAttribute(files().get(0), "unix:uid", 65534);

        assertThat(archive.arguments()).isEmpty();
    }

    @Test
    void whoHasNoPatienceLeavesNothingBehind() throws Exception {
        ClassArchive archive = ClassArchive.in(cache(), jars, Duration.ZERO).orElseThrow();
        archive.buildInBackground(JAVA, Files.createDirectories(folder.resolve("run")));

        archive.close();

        assertThat(files()).isEmpty();
    }

    @Test
    void foldersCannotBeArchived() {
        assertThat(ClassArchive.in(cache(), List.of(folder), LONG)).isEmpty();
    }

    private ClassArchive archive() {
        return ClassArchive.in(cache(), jars, LONG).orElseThrow();
    }

    private Path cache() {
        return folder.resolve("cache");
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.list(cache())) {
            return all.toList();
        }
    }

    private void build(ClassArchive archive, String run) {
        archive.buildInBackground(JAVA, folder.resolve(run));
        archive.close();
    }

    /** Play a rank in a JVM that uses the archive; returns what it prints. */
    private String train(ClassArchive archive, String option) throws Exception {
        Path scratch = Files.createDirectories(folder.resolve("training"));
        Path log = folder.resolve("training.log");
        List<String> command = new ArrayList<>(JAVA);
        command.addAll(archive.arguments());
        command.addAll(List.of(option, "-cp", jars.stream().map(Path::toString).collect(Collectors.joining(":"))));
        command.addAll(List.of("org.rankunit.engine.rank.ClassArchiveWarmUp", scratch.toString()));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
            String printed = Files.readString(log);
            assertThat(process.exitValue()).as(printed).isZero();
            return printed;
        } finally {
            process.destroyForcibly();
        }
    }

    /** A JVM loads no class of a jar from an archive if the path of the jar has a blank. */
    private static boolean isTakenFrom(Path jar) {
        return !jar.toString().contains(" ");
    }

    private static Path pack(Path classes, Path jar) throws IOException {
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file);
                Stream<Path> tree = Files.walk(classes)) {
            for (Path each : tree.filter(Files::isRegularFile).toList()) {
                out.putNextEntry(new JarEntry(classes.relativize(each).toString()));
                Files.copy(each, out);
            }
        }
        return jar;
    }
}
