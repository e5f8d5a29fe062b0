package org.rankunit.engine.compile;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import org.rankunit.engine.compile.cache.KernelCache;
import org.rankunit.engine.compile.source.KernelSource;
import org.rankunit.engine.compile.source.KernelSources;
import org.rankunit.engine.compile.source.ShownPaths;
import org.rankunit.engine.config.KernelSettings;
import org.rankunit.engine.config.Platform;
import org.rankunit.engine.config.SessionTime;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The kernels of a run. Those of a platform are compiled once, when its first group is about to be made; code that
 * needs them waits.
 *
 * <p>A problem never fails a run: it is the result for the kernel concerned, and fails the tests that ask for it. Thread-safe.
 */
public final class CompiledKernels implements AutoCloseable {

    private final KernelSettings settings;
    private final ClassPathKernels classPath;
    private final Path cacheFolder;
    private final SessionTime session;
    private final Consumer<String> console;

    // Guarded by this.
    private final Map<Platform, FutureTask<BuiltKernels>> builds = new EnumMap<>(Platform.class);
    private final List<Thread> threads = new ArrayList<>();
    private final Set<String> told = new HashSet<>();

    /**
     * Use these sources and settings; nothing is looked for yet.
     *
     * @param cacheFolder where compiled kernels are kept
     * @param console prints a line
     */
    public CompiledKernels(
            KernelSettings settings,
            ClassPathKernels classPath,
            Path cacheFolder,
            SessionTime session,
            Consumer<String> console) {
        this.settings = settings;
        this.classPath = classPath;
        this.cacheFolder = cacheFolder;
        this.session = session;
        this.console = console;
    }

    /**
     * Get the kernels of a platform, and compile them if this is the first call for it. The limit of the compiler
     * bounds the wait.
     *
     * @throws InterruptedException if this thread was interrupted; the compilation goes on
     */
    public BuiltKernels on(Platform platform) throws InterruptedException {
        try {
            return started(platform).get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("compiling the kernels of " + platform.id() + " failed", e.getCause());
        }
    }

    /** Whether {@link #on} would not wait, since the kernels of the platform have been asked for before and are there. */
    public synchronized boolean areReady(Platform platform) {
        FutureTask<BuiltKernels> build = builds.get(platform);
        return build != null && build.isDone();
    }

    private synchronized FutureTask<BuiltKernels> started(Platform platform) {
        return builds.computeIfAbsent(platform, p -> {
            FutureTask<BuiltKernels> build = new FutureTask<>(() -> build(p));
            Thread thread = new Thread(build, "rankunit-compile-" + p.id());
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
            return build;
        });
    }

    private BuiltKernels build(Platform platform) throws InterruptedException {
        KernelSources sources = KernelSources.NONE;
        try {
            List<Path> roots = new ArrayList<>(settings.folders());
            roots.addAll(classPath.folders());
            sources = KernelSources.in(roots);
            List<Path> jars = classPath.jarsWithSources();
            if (sources.isEmpty() && jars.isEmpty()) {
                return BuiltKernels.NONE;
            }
            KernelCache cache = KernelCache.in(cacheFolder, console);
            roots.addAll(classPath.unpacked(jars, cache));
            sources = withoutPrebuilt(platform, KernelSources.in(roots));
            return BuiltKernels.of(
                    platform.isSimulator() ? compiled(platform, sources, cache) : forHardware(platform, sources));
        } catch (IOException e) {
            console.accept("rankunit: kernels are not compiled from source: " + e.getMessage());
            return BuiltKernels.of(all(sources, "cannot be compiled: " + e.getMessage()));
        }
    }

    private KernelSources withoutPrebuilt(Platform platform, KernelSources all) {
        SortedMap<String, List<KernelSource>> kept = new TreeMap<>(all.byName());
        kept.entrySet()
                .removeIf(each -> classPath
                        .prebuilt(platform, each.getKey())
                        .filter(file -> {
                            if (platform.isSimulator()) {
                                console.accept("rankunit: kernel '" + each.getKey() + "' is " + file + ", and "
                                        + KernelSources.places(each.getValue(), paths())
                                        + " is not compiled. Remove one of them.");
                            }
                            return true;
                        })
                        .isPresent());
        return new KernelSources(kept);
    }

    private Map<String, KernelResult> compiled(Platform platform, KernelSources sources, KernelCache cache)
            throws IOException, InterruptedException {
        long begin = System.nanoTime();
        Map<String, KernelResult> results = new KernelBuild(settings, cache, session, System.getenv())
                .build(platform, sources, (name, result) -> {
                    if (result instanceof KernelResult.Failed failed) {
                        tell(name, failed);
                    }
                });
        long fresh = results.values().stream()
                .filter(result -> result instanceof KernelResult.Ready ready && ready.fresh())
                .count();
        if (fresh > 0) {
            console.accept("rankunit: compiled " + fresh + (fresh == 1 ? " kernel" : " kernels") + " for "
                    + platform.id() + " in " + (System.nanoTime() - begin) / 1_000_000 + " ms");
            prune(cache);
        }
        return results;
    }

    /** What concerns all kernels is told once. */
    private synchronized void tell(String name, KernelResult.Failed failed) {
        if (failed.ofAll().isEmpty()) {
            console.accept("rankunit: " + failed.why().lines().findFirst().orElse(name));
        } else if (told.add(failed.ofAll())) {
            console.accept("rankunit: kernels are not compiled from source: " + failed.ofAll());
        }
    }

    private static void prune(KernelCache cache) throws InterruptedException {
        try {
            cache.prune();
        } catch (IOException e) {
            log().debug("Cannot remove old kernels in {}", cache.folder(), e);
        }
    }

    private ShownPaths paths() {
        return new ShownPaths(settings.project());
    }

    private Map<String, KernelResult> forHardware(Platform platform, KernelSources sources) {
        return all(
                sources,
                "is compiled for simulators only, and there is no kernels/" + platform.id()
                        + "/<name>.o on the class path. Build that binary with the vendor's compiler, as"
                        + " docs/kernels.md shows.");
    }

    private Map<String, KernelResult> all(KernelSources sources, String why) {
        Map<String, KernelResult> results = new TreeMap<>();
        sources.byName()
                .forEach((name, files) -> results.put(
                        name,
                        new KernelResult.Failed("kernel '" + name + "' (" + KernelSources.places(files, paths()) + ") "
                                + why.replace("<name>", name))));
        return results;
    }

    /** End what is being compiled. */
    @Override
    public void close() {
        List<Thread> running;
        synchronized (this) {
            running = List.copyOf(threads);
        }
        boolean interrupted = false;
        for (Thread thread : running) {
            thread.interrupt();
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Obtained only when there is something to log: without a provider, SLF4J prints a warning for the first logger. */
    private static Logger log() {
        return LoggerFactory.getLogger(CompiledKernels.class);
    }
}
