package org.rankunit.engine.compile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.engine.config.Platform;
import org.rankunit.engine.config.SessionTime;

/** Where the kernels of a run come from. */
@Tag("ranks")
@Timeout(120)
class CompiledKernelsTest {

    @TempDir
    Path temporary;

    private final List<String> console = new ArrayList<>();
    private KernelProject project;
    private Path classes;

    @BeforeEach
    void prepare() throws Exception {
        project = new KernelProject(temporary.resolve("project"), temporary.resolve("cache/kernels"));
        Files.createDirectories(project.folder);
        classes = Files.createDirectories(temporary.resolve("classes"));
    }

    private CompiledKernels kernels(ClassLoader loader) {
        return new CompiledKernels(
                project.settings(),
                new ClassPathKernels(List.of(classes), loader),
                project.cache,
                SessionTime.begin(Optional.empty()),
                console::add);
    }

    private BuiltKernels on(Platform platform) throws InterruptedException {
        try (CompiledKernels kernels = kernels(ClassLoader.getPlatformClassLoader())) {
            return kernels.on(platform);
        }
    }

    private void onClassPath(String place, String content) throws Exception {
        Path file = classes.resolve("kernels").resolve(place);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }

    private static String kernel(String name) {
        return "#include <rankunit/kernel.h>\nRANKUNIT_KERNEL int " + name + "(const uint64_t *, int) { return 0; }\n";
    }

    @Test
    void withoutSourcesNothingIsDone() throws Exception {
        assertThat(on(Platform.A2A3SIM)).isEqualTo(BuiltKernels.NONE);
        assertThat(project.cache).doesNotExist();
    }

    @Test
    void sourcesLieOnTheClassPathAndInFoldersOfTheProject() throws Exception {
        onClassPath("aiv/one.cpp", kernel("one"));
        project.kernel("aic/two.cpp", "0");

        BuiltKernels built = on(Platform.A2A3SIM);

        assertThat(built.libraries()).containsOnlyKeys("one", "two");
        assertThat(built.problems()).isEmpty();
        assertThat(console).hasSize(1).first().asString().startsWith("rankunit: compiled 2 kernels for a2a3sim in ");
    }

    @Test
    void sourcesInAJarAreUnpackedWithTheirHeaders() throws Exception {
        Path jar = temporary.resolve("kernels.jar");
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file)) {
            for (String name : List.of("kernels/", "kernels/aiv/", "kernels/aiv/packed.cpp", "kernels/packed.h")) {
                out.putNextEntry(new JarEntry(name));
                if (name.endsWith(".cpp")) {
                    out.write(("#include \"../packed.h\"\n" + kernel("packed")).getBytes(StandardCharsets.UTF_8));
                }
                out.closeEntry();
            }
        }
        try (URLClassLoader loader =
                        new URLClassLoader(new URL[] {jar.toUri().toURL()}, ClassLoader.getPlatformClassLoader());
                CompiledKernels kernels = kernels(loader)) {
            BuiltKernels built = kernels.on(Platform.A2A3SIM);
            assertThat(built.problems()).isEmpty();
            assertThat(built.libraries()).containsOnlyKeys("packed");
        }
    }

    @Test
    void theSameNameInTwoFoldersIsAnErrorThatNamesBoth() throws Exception {
        onClassPath("aiv/one.cpp", kernel("one"));
        project.kernel("aiv/one.cpp", "0");

        assertThat(on(Platform.A2A3SIM).problems().get("one"))
                .contains("has 2 sources: kernels/aiv/one.cpp and /", "classes/kernels/aiv/one.cpp");
    }

    @Test
    void aLibraryThatWasBuiltBeforeIsUsedAndItsSourceIsNotCompiled() throws Exception {
        onClassPath("aiv/one.cpp", "this is no C++");
        onClassPath("a2a3sim/libone.so", "a library");

        assertThat(on(Platform.A2A3SIM)).isEqualTo(BuiltKernels.NONE);
        assertThat(console)
                .hasSize(1)
                .first()
                .asString()
                .contains("kernel 'one' is " + classes.resolve("kernels/a2a3sim/libone.so"), "is not compiled");
    }

    @Test
    void hardwareNeedsABinaryWhichIsNamed() throws Exception {
        onClassPath("aiv/one.cpp", kernel("one"));
        onClassPath("aiv/two.cpp", kernel("two"));
        onClassPath("a2a3/two.o", "a binary");

        BuiltKernels built = on(Platform.A2A3);

        assertThat(built.libraries()).isEmpty();
        assertThat(built.problems()).containsOnlyKeys("one");
        assertThat(built.problems().get("one"))
                .contains("/kernels/aiv/one.cpp)", "kernels/a2a3/one.o on the class path", "docs/kernels.md");
    }

    @Test
    void aCacheThatCannotBeUsedIsToldToTheTestsThatNeedIt() throws Exception {
        project.kernel("aiv/one.cpp", "0");
        Files.createDirectories(project.cache.getParent());
        Files.writeString(project.cache, "a file");

        assertThat(on(Platform.A2A3SIM).problems().get("one"))
                .contains("kernel 'one' (", "cannot be compiled: ", project.cache + " is not a folder");
    }

    @Test
    void theEndOfARunEndsTheCompiler() throws Exception {
        Path begun = temporary.resolve("begun");
        Path script = Files.writeString(
                temporary.resolve("cxx"),
                "#!/bin/sh\ncase $1 in --version) ;; *) touch " + begun + "; exec sleep 600;; esac\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
        project.kernel("aiv/one.cpp", "0").compiler(script.toString());

        CompletableFuture<Void> waiting;
        try (CompiledKernels kernels = kernels(ClassLoader.getPlatformClassLoader())) {
            waiting = CompletableFuture.runAsync(() -> {
                try {
                    kernels.on(Platform.A2A3SIM);
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            while (!Files.exists(begun)) {
                assertThat(waiting).isNotDone();
                Thread.onSpinWait();
            }
        }

        assertThat(waiting.handle((done, failure) -> failure).get(60, TimeUnit.SECONDS))
                .hasRootCauseInstanceOf(InterruptedException.class);
        try (Stream<Path> entries = Files.list(project.cache)) {
            // Of the digests, one may be that of RankUnit's headers, if these come from a jar.
            assertThat(entries.filter(entry -> entry.getFileName().toString().length() == 64)
                            .filter(entry -> !Files.exists(entry.resolve("files/rankunit/kernel.h"))))
                    .hasSize(1)
                    .allSatisfy(key -> assertThat(key).isEmptyDirectory());
        }
    }
}
