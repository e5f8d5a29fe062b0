package org.rankunit.engine.compile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.compile.cache.KernelCache;
import org.rankunit.engine.compile.source.KernelSources;
import org.rankunit.engine.config.KernelSettings;
import org.rankunit.engine.config.Platform;
import org.rankunit.engine.config.SessionTime;

/** A project with kernels, a cache, and a compiler that notes what it is asked to compile. */
final class KernelProject {

    private static final Duration LONG = Duration.ofMinutes(2);

    final Path folder;
    final Path cache;
    final List<String> console = new ArrayList<>();
    private final Map<String, String> environment = new HashMap<>(System.getenv());
    private List<String> compiler = List.of("c++");
    private List<String> flags = List.of("-O0");
    private boolean tellAccesses;
    private Duration limit = LONG;

    /** A project in a folder, with the cache of another one or its own. */
    KernelProject(Path folder, Path cache) {
        this.folder = folder;
        this.cache = cache;
    }

    /** Write a kernel that returns the value of an expression. */
    KernelProject kernel(String place, String expression, String... includes) throws IOException {
        StringBuilder source = new StringBuilder("#include <rankunit/kernel.h>\n");
        for (String include : includes) {
            source.append("#include \"").append(include).append("\"\n");
        }
        String name = place.replaceAll(".*/|\\.cpp", "");
        return file(
                place,
                source.append("RANKUNIT_KERNEL int " + name + "(const uint64_t *, int) { return " + expression
                                + "; }\n")
                        .toString());
    }

    /** Write a file of the folder {@code kernels}. */
    KernelProject file(String place, String content) throws IOException {
        Path file = folder.resolve("kernels").resolve(place);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
        return this;
    }

    KernelProject compiler(String... words) {
        compiler = List.of(words);
        return this;
    }

    /** Use a shell script in the place of the compiler. */
    KernelProject compilerScript(String name, String body) throws IOException {
        Path script = folder.resolve(name);
        Files.createDirectories(folder);
        Files.writeString(script, "#!/bin/sh\n" + body + "\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        return compiler(script.toString());
    }

    KernelProject flags(String... words) {
        flags = List.of(words);
        return this;
    }

    KernelProject tellAccesses(boolean given) {
        tellAccesses = given;
        return this;
    }

    KernelProject limit(Duration given) {
        limit = given;
        return this;
    }

    KernelProject variable(String name, String value) {
        environment.put(name, value);
        return this;
    }

    KernelSettings settings() {
        return new KernelSettings(folder, List.of(folder.resolve("kernels")), compiler, flags, tellAccesses, limit);
    }

    Map<String, KernelResult> build(Platform platform) throws IOException, InterruptedException {
        return new KernelBuild(
                        settings(),
                        KernelCache.in(cache, console::add),
                        SessionTime.begin(Optional.empty()),
                        environment)
                .build(platform, KernelSources.in(settings().folders()), (name, result) -> {});
    }

    Map<String, KernelResult> build() throws IOException, InterruptedException {
        return build(Platform.A2A3SIM);
    }

    /** Build, and name the kernels that were compiled and not taken from the cache. */
    List<String> compiled() throws IOException, InterruptedException {
        List<String> fresh = new ArrayList<>();
        build().forEach((name, result) -> {
            if (ready(result).fresh()) {
                fresh.add(name);
            }
        });
        return fresh;
    }

    static KernelResult.Ready ready(@Nullable KernelResult result) {
        if (result instanceof KernelResult.Failed failed) {
            throw new AssertionError(failed.why());
        }
        return (KernelResult.Ready) Objects.requireNonNull(result, "no such kernel");
    }

    static String why(@Nullable KernelResult result) {
        if (result instanceof KernelResult.Failed failed) {
            return failed.why();
        }
        throw new AssertionError("there is a library: " + result);
    }
}
