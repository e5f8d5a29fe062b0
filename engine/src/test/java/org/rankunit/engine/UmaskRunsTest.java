package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rankunit.engine.cases.CacheCases;
import org.rankunit.engine.launch.command.ArchiveOfTests;

/** Runs of a user whose umask lets the group write, as many distributions set it. */
@Tag("ranks")
@Timeout(120)
class UmaskRunsTest {

    private static final String SUCCESS = "SUCCESSFUL test(RankContext)";

    @TempDir
    Path folder;

    /** What keeps something in the user's cache. Each may be the first. */
    enum Creator {
        DURATIONS(CacheCases.Durations.class),
        GOLDENS(CacheCases.Model.class),
        KERNELS(CacheCases.Kernel.class),
        CLASSES(CacheCases.Durations.class),
        TERMINALS(CacheCases.Durations.class);

        private final Class<?> tests;

        Creator(Class<?> tests) {
            this.tests = tests;
        }

        String kind() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @ParameterizedTest
    @EnumSource
    void whateverIsKeptFirstTheCacheIsOfThisUserAlone(Creator first) throws Exception {
        assumeTrue(first != Creator.TERMINALS || Files.isExecutable(Path.of("/usr/bin/script")), "there is no script");
        assumeTrue(first != Creator.CLASSES || hasJars(), "there is an archive of classes only of jars");

        ParentRun run = order(first, "first").run(first.tests);

        assertThat(run.results()).as(run.printed()).containsExactly(SUCCESS);
        assertThat(cache().resolve("rankunit").resolve(first.kind())).isDirectory();
        assertThat(foldersOpenToOthers()).isEmpty();
    }

    @Test
    void theRunsThatCreateTheCacheTogetherAllUseIt() throws Exception {
        List<ParentRun> runs = new ArrayList<>();
        for (Creator each : List.of(Creator.DURATIONS, Creator.GOLDENS, Creator.KERNELS)) {
            runs.add(order(each, each.kind()).start(each.tests));
        }
        for (ParentRun run : runs) {
            run.awaitEnd();
            assertThat(run.results()).as(run.printed()).containsExactly(SUCCESS);
        }

        assertThat(cache().resolve("rankunit")).isDirectoryContaining("glob:**/durations");
        assertThat(cache().resolve("rankunit")).isDirectoryContaining("glob:**/goldens");
        assertThat(foldersOpenToOthers()).isEmpty();
    }

    /** An earlier version created it with the user's umask, and anybody of the group may have put kernels there. */
    @Test
    void aCacheThatTheGroupCanWriteIsRefusedForKernelsUntilItIsRemoved() throws Exception {
        Path ours = Files.createDirectories(cache().resolve("rankunit"));
        Files.setPosixFilePermissions(ours, PosixFilePermissions.fromString("rwxrwxr-x"));

        ParentRun refused = order(Creator.KERNELS, "refused").run(Creator.KERNELS.tests);
        assertThat(refused.results()).containsExactly("FAILED test(RankContext)");
        assertThat(refused.messages().get(0))
                .contains(ours + " is writable by others (rwxrwxr-x). Remove it, or set XDG_CACHE_HOME to a folder"
                        + " of your own.");

        Files.delete(ours);
        assertThat(order(Creator.DURATIONS, "durations")
                        .run(Creator.DURATIONS.tests)
                        .results())
                .containsExactly(SUCCESS);
        assertThat(order(Creator.KERNELS, "again").run(Creator.KERNELS.tests).results())
                .containsExactly(SUCCESS);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(ours)))
                .isEqualTo("rwx------");
    }

    @Test
    void goldenModelsAreComputedWithoutACacheThatIsFitForUse() throws Exception {
        Path goldens = Files.createDirectories(cache().resolve("rankunit/goldens"));
        Files.setPosixFilePermissions(goldens, PosixFilePermissions.fromString("rwxrwxr-x"));

        ParentRun run = order(Creator.GOLDENS, "goldens").run(Creator.GOLDENS.tests);

        assertThat(run.printed())
                .contains("rankunit: results of golden models are not kept after this run: " + goldens
                        + " is writable by others");
        assertThat(run.results()).containsExactly(SUCCESS);
    }

    /** Of all modules but this one, as in a whole build. */
    private static boolean hasJars() {
        return List.of(System.getProperty("java.class.path").split(File.pathSeparator, -1)).stream()
                .noneMatch(entry -> entry.endsWith("/target/classes"));
    }

    private Path cache() {
        return folder.resolve("home/cache");
    }

    /** A run that keeps nothing but this in the cache. */
    private ParentRun.Order order(Creator creator, String name) throws IOException {
        Path own = Files.createDirectory(folder.resolve(name));
        ParentRun.Order order = new ParentRun.Order(own)
                .environment("XDG_CACHE_HOME", cache().toString())
                .script("umask 0002; exec \"$@\"")
                .parameter("rankunit.durations", creator == Creator.DURATIONS ? "auto" : "none");
        if (creator != Creator.CLASSES) {
            order.parameter("rankunit.jvm-args", String.join(" ", ArchiveOfTests.arguments()));
        }
        if (creator == Creator.KERNELS) {
            order.parameter("rankunit.kernel-sources", kernels(own).toString());
        }
        if (creator == Creator.TERMINALS) {
            order.environment("TERM", "xterm")
                    .environment("SHELL", "/bin/sh")
                    .script("umask 0002; unset CI; exec script -q -e -c \"$(printf \"'%s' \" \"$@\")\" /dev/null");
        }
        return order;
    }

    private static Path kernels(Path own) throws IOException {
        Path source = own.resolve("kernels/aiv/fill.cpp");
        Files.createDirectories(source.getParent());
        Files.writeString(source, """
                // %s, so that nobody has it in a cache
                #include <rankunit/kernel.h>
                RANKUNIT_KERNEL int fill(const uint64_t *args, int) {
                    for (uint64_t i = 0; i < args[1]; i++) rankunit_pointer<int32_t>(args[0])[i] = (int32_t)args[2];
                    return 0;
                }
                """.formatted(UUID.randomUUID()));
        return own.resolve("kernels");
    }

    private List<String> foldersOpenToOthers() throws IOException {
        List<String> open = new ArrayList<>();
        try (Stream<Path> all = Files.walk(folder.resolve("home"))) {
            for (Path each : all.filter(Files::isDirectory).toList()) {
                String mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(each));
                if (!mode.equals("rwx------")) {
                    open.add(mode + " " + each);
                }
            }
        }
        return open;
    }
}
