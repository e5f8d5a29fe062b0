package org.rankunit.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.rankunit.cli.pool.UsageException;
import org.rankunit.engine.compile.KernelBuild;
import org.rankunit.engine.compile.KernelResult;
import org.rankunit.engine.compile.source.KernelSources;
import org.rankunit.engine.config.ConfigKey;
import org.rankunit.engine.config.Platform;
import org.rankunit.engine.config.SessionTime;
import org.rankunit.engine.config.Settings;
import org.rankunit.engine.config.files.CacheFolder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Compiles kernels before any test needs them. */
@Command(
        name = "compile",
        mixinStandardHelpOptions = true,
        versionProvider = RankUnitCommand.Version.class,
        description = {
            "Compile kernels from source into the cache of this user, as test runs do. A later run finds them there.",
            "The keys rankunit.cxx, rankunit.cxxflags, rankunit.compile-timeout and rankunit.sim.check must be those of"
                    + " the tests; set them as system properties."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:All kernels are in the cache.",
            "1:A kernel does not compile, or has several sources.",
            ExitCodes.USAGE_TEXT
        },
        footerHeading = "%nExamples:%n",
        footer = {"  rankunit compile", "  rankunit compile --platform a2a3sim src/test/resources/kernels"})
final class CompileCommand implements Callable<Integer> {

    private static final String RESOURCES = "src/test/resources/kernels";

    @Option(
            names = "--platform",
            paramLabel = "P",
            description = "Compile only for this simulator: a2a3sim or a5sim (rankunit.platform).")
    private Optional<String> platform = Optional.empty();

    @Option(names = PoolOptions.STACK_TRACE, description = "Print the stack trace of an error.")
    boolean stackTrace;

    @Parameters(
            arity = "0..*",
            paramLabel = "FOLDER",
            description =
                    "Folders that have a folder aiv, aic or orchestration; without any, rankunit.kernel-sources and "
                            + RESOURCES + ", as far as they exist.")
    private List<Path> folders = List.of();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Map<String, Optional<String>> given = Map.of(ConfigKey.PLATFORM.key(), platform);
        Settings settings = Settings.read(
                key -> given.getOrDefault(key, Optional.empty()).or(() -> Optional.ofNullable(System.getProperty(key))),
                System.getProperties().stringPropertyNames());
        List<Platform> platforms = platforms(settings);
        KernelSources sources = sources(settings);
        PrintWriter out = spec.commandLine().getOut();
        KernelBuild build;
        try {
            build = KernelBuild.open(
                    settings.kernels(),
                    CacheFolder.of(KernelBuild.CACHE),
                    SessionTime.begin(Optional.empty()),
                    System.getenv(),
                    out::println);
        } catch (IOException e) {
            throw new UsageException("The cache cannot be used: " + e.getMessage());
        }
        List<KernelResult> results = new ArrayList<>();
        for (Platform each : platforms) {
            build.build(each, sources, (name, result) -> {
                out.println(line(name, each, result, results));
                out.flush();
                results.add(result);
            });
        }
        out.println(summary(results));
        out.flush();
        return results.stream().allMatch(result -> result instanceof KernelResult.Ready)
                ? ExitCodes.FINE
                : ExitCodes.NOT_WELL;
    }

    private static List<Platform> platforms(Settings settings) {
        if (settings.platform().isEmpty()) {
            return Platform.all().stream().filter(Platform::isSimulator).toList();
        }
        Platform only = settings.platform().get();
        if (!only.isSimulator()) {
            throw new UsageException("--platform = \"" + only.id() + "\": kernels are compiled for simulators only."
                    + " For " + only.id() + ", build binaries with the vendor's compiler, as docs/kernels.md shows.");
        }
        return List.of(only);
    }

    private KernelSources sources(Settings settings) throws IOException {
        Set<Path> looked = new LinkedHashSet<>(folders);
        if (looked.isEmpty()) {
            looked.addAll(settings.kernels().folders());
            looked.add(settings.kernels().project().resolve(RESOURCES));
        } else {
            requireSources(looked);
        }
        KernelSources sources = KernelSources.in(looked);
        if (sources.isEmpty()) {
            throw new UsageException(noSources(looked));
        }
        return sources;
    }

    /** A folder that is misspelt must not make a CI job green. */
    private static void requireSources(Collection<Path> folders) throws IOException {
        for (Path folder : folders) {
            if (!Files.isDirectory(folder) || KernelSources.in(List.of(folder)).isEmpty()) {
                throw new UsageException(noSources(List.of(folder)));
            }
        }
    }

    private static String noSources(Collection<Path> folders) {
        return "There is no source aiv/*.cpp, aic/*.cpp or orchestration/*.cpp in "
                + String.join(" or ", folders.stream().map(Path::toString).toList()) + ".";
    }

    /** {@code treduce a2a3sim: compiled in 412 ms}. */
    private static String line(String name, Platform platform, KernelResult result, List<KernelResult> before) {
        String kernel = name + " " + platform.id() + ": ";
        if (result instanceof KernelResult.Ready ready) {
            return kernel + (ready.fresh() ? "compiled in " + ready.nanos() / 1_000_000 + " ms" : "cached");
        }
        return kernel + "error: " + (result instanceof KernelResult.Failed failed ? why(failed, before) : result);
    }

    /** What concerns all kernels is told once. */
    private static String why(KernelResult.Failed failed, List<KernelResult> before) {
        boolean told = before.stream()
                .anyMatch(each -> each instanceof KernelResult.Failed other
                        && !other.ofAll().isEmpty()
                        && other.ofAll().equals(failed.ofAll()));
        return told ? "for the reason above" : failed.why();
    }

    /** {@code 2 compiled, 5 cached, 0 errors}. */
    private static String summary(List<KernelResult> results) {
        long ready =
                results.stream().filter(KernelResult.Ready.class::isInstance).count();
        long fresh = results.stream()
                .filter(result -> result instanceof KernelResult.Ready one && one.fresh())
                .count();
        long errors = results.size() - ready;
        return fresh + " compiled, " + (ready - fresh) + " cached, " + errors + (errors == 1 ? " error" : " errors");
    }
}
