package org.rankunit.engine.compile;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.rankunit.engine.config.ConfigKey;
import org.rankunit.engine.config.KernelSettings;

/**
 * The C++ compiler of a run.
 *
 * @param command its absolute path, followed by its first arguments
 * @param version what it says about its version
 */
record CxxCompiler(List<String> command, String version) {

    private static final Duration VERSION_LIMIT = Duration.ofSeconds(20);

    private static final String WHAT_TO_DO =
            "Install a C++17 compiler (Debian, Ubuntu: apt-get install g++; Fedora: dnf"
                    + " install gcc-c++), or name one by " + ConfigKey.CXX.key() + ".";

    /**
     * Find the compiler and ask for its version.
     *
     * @param scratch a folder for temporary files
     * @throws CompileException if there is none, or it does not work
     */
    static CxxCompiler find(KernelSettings settings, Map<String, String> environment, Path scratch)
            throws CompileException, IOException, InterruptedException {
        String name = settings.compiler().get(0);
        String path = environment.getOrDefault("PATH", "");
        Path program = (name.contains("/")
                        ? executable(settings.project().resolve(name).normalize())
                        : onPath(name, path))
                .orElseThrow(() -> new CompileException("there is no compiler '" + name + "'"
                        + (name.contains("/") ? "" : " on the PATH (" + path + ")") + ". " + WHAT_TO_DO));
        List<String> command = new ArrayList<>(settings.compiler());
        command.set(0, program.toString());
        return new CxxCompiler(List.copyOf(command), versionOf(command, settings.project(), scratch));
    }

    private static String versionOf(List<String> command, Path project, Path scratch)
            throws CompileException, IOException, InterruptedException {
        List<String> asking = new ArrayList<>(command);
        asking.add("--version");
        String shown = String.join(" ", asking);
        Path log = Files.createTempFile(scratch, "version-", ".log");
        try {
            Tool.Result said = Tool.run(asking, project, log, System.nanoTime() + VERSION_LIMIT.toNanos());
            if (said.exit().isEmpty()) {
                throw new CompileException("'" + shown + "' did not end within " + VERSION_LIMIT.toSeconds()
                        + " s and was ended. Repair that compiler, or name another by " + ConfigKey.CXX.key() + ".");
            } else if (!said.isFine()) {
                throw new CompileException("'" + shown + "' ended with exit code "
                        + said.exit().getAsInt() + ":\n" + Diagnostics.of(said.output()) + "\n" + WHAT_TO_DO);
            }
            return said.output();
        } finally {
            Files.deleteIfExists(log);
        }
    }

    private static Optional<Path> onPath(String name, String path) {
        for (String folder : path.split(File.pathSeparator, -1)) {
            if (!folder.isEmpty()) {
                Optional<Path> program =
                        executable(Path.of(folder).toAbsolutePath().resolve(name));
                if (program.isPresent()) {
                    return program;
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<Path> executable(Path program) {
        return Optional.of(program).filter(Files::isRegularFile).filter(Files::isExecutable);
    }
}
