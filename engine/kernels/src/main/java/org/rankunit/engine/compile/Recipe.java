package org.rankunit.engine.compile;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.rankunit.engine.compile.cache.UnpackedTree;
import org.rankunit.engine.compile.source.KernelSource;
import org.rankunit.engine.compile.source.ShownPaths;
import org.rankunit.engine.config.KernelSettings;
import org.rankunit.engine.config.Platform;
import org.rankunit.engine.config.files.Digest;

/**
 * What the kernels of one platform are compiled with, and the part of their keys that follows from it.
 *
 * @param headers the folder of RankUnit's headers
 * @param key the digest of all this
 */
record Recipe(Platform platform, KernelSettings settings, CxxCompiler compiler, UnpackedTree headers, String key) {

    /** Increased when entries of the cache change their form. */
    private static final String FORMAT = "1";

    /** What code is compiled with that tells its accesses; it is linked without the first. */
    private static final List<String> TELLING =
            List.of("-fsanitize=thread", "-fno-builtin", "-U_FORTIFY_SOURCE", "-include", "rankunit/record_builtins.h");

    /** What it is linked with; among RankUnit's headers. */
    private static final String TELLING_LINK = "rankunit/record_accesses.link";

    /** What such code is linked to; among RankUnit's headers. */
    private static final String TELLING_SOURCE = "rankunit/record_accesses.cpp";

    private static final List<String> ALWAYS =
            List.of("-std=c++17", "-O2", "-g", "-fPIC", "-fdiagnostics-color=never", "-fmessage-length=0");

    /** Variables that change what GCC and Clang read. */
    private static final List<String> VARIABLES = List.of(
            "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "COMPILER_PATH", "GCC_EXEC_PREFIX");

    static Recipe of(
            Platform platform,
            KernelSettings settings,
            CxxCompiler compiler,
            UnpackedTree headers,
            Map<String, String> environment) {
        Map<String, String> variables = new TreeMap<>(environment);
        variables.keySet().retainAll(VARIABLES);
        String key = new Digest()
                .add(FORMAT)
                .add(platform.id())
                .add(System.getProperty("os.arch"))
                .add(compiler.command())
                .add(compiler.version())
                .add(ALWAYS)
                .add(settings.flags())
                .add(settings.tellAccesses() ? TELLING : List.of())
                .add(variables.toString())
                .add(headers.digest())
                .hex();
        return new Recipe(platform, settings, compiler, headers, key);
    }

    /** How messages name sources. */
    ShownPaths paths() {
        return new ShownPaths(settings.project());
    }

    /** The key of a source with this content. Its path is a part only within the project, so that copies of that share libraries. */
    String keyOf(KernelSource source, byte[] content) {
        return new Digest()
                .add(key)
                .add(source.kind().folder())
                .add(source.name())
                .add(paths().inDebugInformation(source))
                .add(content)
                .hex();
    }

    /** The commands that compile a source, one after the other. Paths in debug information are the same in all copies of a project. */
    List<List<String>> commands(KernelSource source, Path library, Path depfile) {
        List<String> compile = begin(source);
        compile.addAll(List.of("-MMD", "-MF", depfile.toString(), "-MT", "kernel"));
        if (!settings.tellAccesses()) {
            compile.addAll(
                    List.of("-shared", "-o", library.toString(), source.file().toString()));
            return List.of(compile);
        }
        String object = library + ".o";
        compile.addAll(TELLING);
        compile.addAll(List.of("-c", "-o", object, source.file().toString()));
        List<String> link = begin(source);
        link.addAll(List.of("-shared", "@" + headers.folder().resolve(TELLING_LINK), "-o", library.toString(), object));
        link.add(headers.folder().resolve(TELLING_SOURCE).toString());
        return List.of(compile, link);
    }

    private List<String> begin(KernelSource source) {
        List<String> command = new ArrayList<>(compiler.command());
        command.addAll(ALWAYS);
        command.add("-I" + headers.folder());
        command.add("-DRANKUNIT_PLATFORM_" + platform.id().toUpperCase(Locale.ROOT));
        command.add("-D" + source.kind().macro());
        command.add("-ffile-prefix-map=" + headers.folder() + "=.");
        command.add("-ffile-prefix-map=" + settings.project() + "=.");
        command.add("-ffile-prefix-map=" + source.root() + "=" + paths().inDebugInformation(source));
        command.addAll(settings.flags());
        return command;
    }
}
