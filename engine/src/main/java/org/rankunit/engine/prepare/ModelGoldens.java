package org.rankunit.engine.prepare;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.compile.cache.KernelCache;
import org.rankunit.engine.config.files.Digest;
import org.rankunit.engine.control.BufferDeclaration;
import org.rankunit.engine.control.TestSelection;

/**
 * Computes models, or finds what they gave in earlier runs. If results cannot be kept, they last as long as the run. Thread-safe: it is
 * used by one thread at a time.
 */
final class ModelGoldens {

    private final GoldenSettings settings;
    private @Nullable String classPath;
    private @Nullable GoldenCache cache;

    ModelGoldens(GoldenSettings settings) {
        this.settings = settings;
    }

    synchronized TestSelection.Goldens of(Variant variant, String actualFolder)
            throws GoldenException, InterruptedException {
        try {
            GoldenCache results = opened();
            String key = keyOf(variant);
            ModelFiles.Manifest manifest = results.find(key, variant).orElse(null);
            if (manifest == null) {
                manifest = computed(variant, key, results);
            }
            Path entry = results.entry(key);
            return new TestSelection.Goldens(
                    variant.source().check(),
                    entry.resolve(ModelFiles.INPUTS).toString(),
                    manifest.inputs(),
                    entry.resolve(ModelFiles.OUTPUTS).toString(),
                    manifest.outputs(),
                    actualFolder,
                    false);
        } catch (IOException e) {
            throw new GoldenException(
                    variant.source().place() + ": the results of the golden model "
                            + variant.source().model() + " cannot be written: " + e.getMessage()
                            + ". Make room there, or set XDG_CACHE_HOME.",
                    e);
        }
    }

    private ModelFiles.Manifest computed(Variant variant, String key, GoldenCache results)
            throws GoldenException, InterruptedException, IOException {
        Optional<Duration> limit = settings.limit()
                .map(usual -> variant.test().timeoutMillis() > 0
                        ? Duration.ofMillis(variant.test().timeoutMillis())
                        : usual);
        Path scratch = results.scratch();
        try {
            ModelFiles.Manifest manifest = new ModelFiles(variant, new ModelRun(variant, limit)).computeInto(scratch);
            results.publish(key, scratch, manifest);
            return manifest;
        } finally {
            KernelCache.remove(scratch);
        }
    }

    private GoldenCache opened() throws IOException {
        GoldenCache known = cache;
        if (known != null) {
            return known;
        }
        try {
            known = GoldenCache.in(settings.cache());
            known.prune();
        } catch (IOException e) {
            settings.console()
                    .accept("rankunit: results of golden models are not kept after this run: " + e.getMessage());
            known = GoldenCache.in(settings.session().resolve("goldens"));
        }
        cache = known;
        return known;
    }

    private String keyOf(Variant variant) throws IOException {
        String digestOfAll = classPath;
        if (digestOfAll == null) {
            digestOfAll = ClassPathDigest.of(settings.classPath());
            classPath = digestOfAll;
        }
        Digest key = new Digest()
                .add(digestOfAll)
                .add(Runtime.version().toString())
                .add(variant.source().model())
                .add(Integer.toString(variant.test().ranks()))
                .add(variant.platform())
                .add(variant.test().runtime())
                .add(new TreeMap<>(variant.parameters()).toString());
        for (BufferDeclaration each : variant.test().buffers()) {
            key.add(each.name() + " " + each.type() + " " + each.count() + " " + each.shape() + " " + each.role() + " "
                    + each.unverified());
        }
        return key.hex();
    }
}
