package org.rankunit.engine.compile;

import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.rankunit.device.Device;
import org.rankunit.engine.compile.cache.KernelCache;
import org.rankunit.engine.compile.cache.UnpackedTree;
import org.rankunit.engine.compile.source.KernelSource;
import org.rankunit.engine.compile.source.KernelSources;
import org.rankunit.engine.compile.source.ShownPaths;
import org.rankunit.engine.config.KernelSettings;
import org.rankunit.engine.config.Platform;
import org.rankunit.engine.config.SessionTime;

/** Compiles sources for a simulator, as many at the same time as there are cores. Its threads do not outlive a call. */
public final class KernelBuild {

    /** The kind of cache folder that has compiled kernels. */
    public static final String CACHE = "kernels";

    private static final String INCLUDE = "META-INF/rankunit/include/";
    private static final String ONE_HEADER = "rankunit/kernel.h";

    /** How long to wait for threads that were interrupted, and end their compilers. */
    private static final long END_SECONDS = 10;

    private final KernelSettings settings;
    private final KernelCache cache;
    private final SessionTime session;
    private final Map<String, String> environment;

    KernelBuild(KernelSettings settings, KernelCache cache, SessionTime session, Map<String, String> environment) {
        this.settings = settings;
        this.cache = cache;
        this.session = session;
        this.environment = environment;
    }

    /**
     * Prepare to compile.
     *
     * @param cacheFolder where compiled kernels are kept
     * @param environment that of this process
     * @param console prints a line
     * @throws IOException if the cache cannot be used; the message says why and what to do
     */
    public static KernelBuild open(
            KernelSettings settings,
            Path cacheFolder,
            SessionTime session,
            Map<String, String> environment,
            Consumer<String> console)
            throws IOException {
        return new KernelBuild(settings, KernelCache.in(cacheFolder, console), session, environment);
    }

    /**
     * Compile all sources that are not in the cache.
     *
     * @param platform a simulator
     * @param done called on this thread with each result as it arrives
     * @return the results by the names of the kernels
     */
    public SortedMap<String, KernelResult> build(
            Platform platform, KernelSources sources, BiConsumer<String, KernelResult> done)
            throws InterruptedException {
        SortedMap<String, KernelResult> results = new TreeMap<>();
        BiConsumer<String, KernelResult> both = (name, result) -> {
            results.put(name, result);
            done.accept(name, result);
        };
        List<KernelSource> single = new ArrayList<>();
        sources.byName().forEach((name, all) -> {
            if (all.size() == 1) {
                single.add(all.get(0));
            } else {
                both.accept(name, new KernelResult.Failed(severalSources(name, all, paths())));
            }
        });
        if (!single.isEmpty()) {
            compile(platform, single, both);
        }
        return results;
    }

    private ShownPaths paths() {
        return new ShownPaths(settings.project());
    }

    static String severalSources(String name, List<KernelSource> all, ShownPaths paths) {
        return "kernel '" + name + "' has " + all.size() + " sources: " + KernelSources.places(all, paths)
                + ". A name stands for one kernel: rename the file and its function, or remove one of the files.";
    }

    private void compile(Platform platform, List<KernelSource> sources, BiConsumer<String, KernelResult> done)
            throws InterruptedException {
        Recipe recipe;
        try {
            CxxCompiler compiler = CxxCompiler.find(settings, environment, cache.folder());
            recipe = Recipe.of(platform, settings, compiler, ownHeaders(), environment);
        } catch (CompileException | IOException e) {
            String why = e instanceof CompileException ? String.valueOf(e.getMessage()) : e.toString();
            sources.forEach(source -> done.accept(
                    source.name(),
                    new KernelResult.Failed(
                            "kernel '" + source.name() + "' (" + paths().of(source.file()) + ") cannot be compiled: "
                                    + why,
                            why)));
            return;
        }
        int threads = Math.min(sources.size(), Runtime.getRuntime().availableProcessors());
        ExecutorService executor = Executors.newFixedThreadPool(threads, KernelBuild::thread);
        try {
            CompletionService<Map.Entry<String, KernelResult>> results = new ExecutorCompletionService<>(executor);
            for (KernelSource source : sources) {
                KernelJob job = new KernelJob(source, recipe, cache, session);
                results.submit(() -> Map.entry(source.name(), job.call()));
            }
            for (int i = 0; i < sources.size(); i++) {
                Map.Entry<String, KernelResult> result = results.take().get();
                done.accept(result.getKey(), result.getValue());
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } finally {
            executor.shutdownNow();
            executor.awaitTermination(END_SECONDS, TimeUnit.SECONDS);
        }
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "rankunit-compile");
        thread.setDaemon(true);
        return thread;
    }

    /** In a build of RankUnit itself, its headers are in a folder; elsewhere they are in a jar. */
    private UnpackedTree ownHeaders() throws IOException, InterruptedException {
        URL header = Device.class.getResource("/" + INCLUDE + ONE_HEADER);
        if (header == null) {
            throw new IOException("RankUnit's own jars have no " + INCLUDE + ONE_HEADER);
        }
        Optional<Path> jar = ClassPathKernels.jarOf(header);
        if (jar.isPresent()) {
            return UnpackedTree.ofJar(jar.get(), INCLUDE, cache);
        }
        try {
            return UnpackedTree.ofFolder(
                    Path.of(header.toURI()).resolve("../..").normalize());
        } catch (URISyntaxException e) {
            throw new IOException("not a path: " + header, e);
        }
    }
}
