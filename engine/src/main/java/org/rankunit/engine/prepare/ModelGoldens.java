package org.rankunit.engine.prepare;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.compile.cache.KernelCache;
import org.rankunit.engine.config.files.Digest;
import org.rankunit.engine.prepare.model.GoldenException;
import org.rankunit.engine.prepare.model.ModelAnswer;
import org.rankunit.engine.prepare.model.ModelFiles;
import org.rankunit.engine.prepare.model.ModelRequest;
import org.rankunit.engine.protocol.BufferDeclaration;
import org.rankunit.engine.protocol.TestSelection;
import org.rankunit.engine.protocol.Variant;

/**
 * Computes models, or finds what they gave in earlier runs. If results cannot be kept, they last as long as the run. Thread-safe: it is
 * used by one thread at a time.
 */
final class ModelGoldens {

    private final GoldenSettings settings;
    private final Models models;
    private @Nullable String frameworks;
    private @Nullable UsedContent content;
    private @Nullable GoldenCache cache;

    /**
     * Goldens that are ready.
     *
     * @param entry the folder of the result
     * @param kept what to say in a failure about a result of an earlier run; empty for one of this run
     */
    record Ready(TestSelection.Goldens goldens, Path entry, String kept) {

        /** Say that ranks read the files soon. */
        void markUsed() {
            GoldenCache.touch(entry);
        }
    }

    ModelGoldens(GoldenSettings settings, Models models) {
        this.settings = settings;
        this.models = models;
    }

    synchronized Ready of(Variant variant, String actualFolder) throws GoldenException, InterruptedException {
        try {
            return ready(variant, actualFolder, opened());
        } catch (IOException e) {
            try {
                return ready(variant, actualFolder, notKept(e));
            } catch (IOException unwritten) {
                throw new GoldenException(
                        variant.source().place() + ": the results of the golden model "
                                + variant.source().model() + " cannot be read or written: " + unwritten
                                + ". Make room there, or set XDG_CACHE_HOME.",
                        unwritten);
            }
        }
    }

    private Ready ready(Variant variant, String actualFolder, GoldenCache results)
            throws GoldenException, InterruptedException, IOException {
        String key = keyOf(variant);
        Optional<GoldenCache.Entry> kept = results.find(key, variant, contentOfUses());
        GoldenCache.Entry entry = kept.isPresent() ? kept.get() : computed(variant, key, results);
        TestSelection.Goldens goldens = new TestSelection.Goldens(
                variant.source().check(),
                entry.folder().resolve(ModelFiles.INPUTS).toString(),
                entry.result().inputs(),
                entry.folder().resolve(ModelFiles.OUTPUTS).toString(),
                entry.result().outputs(),
                actualFolder,
                false);
        return new Ready(goldens, entry.folder(), kept.isEmpty() ? "" : describe(variant, entry));
    }

    private static String describe(Variant variant, GoldenCache.Entry entry) {
        String made = LocalDateTime.ofInstant(
                        Instant.ofEpochMilli(entry.result().madeMillis()), ZoneId.systemDefault())
                .truncatedTo(ChronoUnit.SECONDS)
                .format(DateTimeFormatter.ISO_LOCAL_DATE_TIME);
        return "expected outputs: kept since " + made + ", when "
                + variant.source().model() + " was computed; remove " + entry.folder() + " to compute it again";
    }

    private GoldenCache.Entry computed(Variant variant, String key, GoldenCache results)
            throws GoldenException, InterruptedException, IOException {
        long limitMillis = settings.limit()
                .map(usual ->
                        variant.test().timeoutMillis() > 0 ? variant.test().timeoutMillis() : usual.toMillis())
                .orElse(0L);
        List<String> classPath =
                settings.classPath().stream().map(Path::toString).toList();
        Path scratch = results.scratch();
        try {
            ModelAnswer answer = models.compute(new ModelRequest(variant, limitMillis, classPath), scratch);
            if (answer instanceof ModelAnswer.Computed computed) {
                return results.publish(
                        key, contentOfUses().digest(computed.result().uses()), scratch, computed.result());
            }
            throw new GoldenException(
                    answer instanceof ModelAnswer.Refused refused ? refused.message() : answer.toString());
        } finally {
            KernelCache.remove(scratch);
        }
    }

    private GoldenCache opened() throws IOException {
        GoldenCache known = cache;
        if (known != null) {
            return known;
        }
        known = GoldenCache.in(settings.cache());
        known.prune(GoldenCache.MAX_BYTES);
        cache = known;
        return known;
    }

    /** Use a folder of the run from now on, in place of one that is damaged, or can only be read. */
    private GoldenCache notKept(IOException why) throws IOException {
        settings.console()
                .accept("rankunit: results of golden models are not kept after this run: " + why.getMessage());
        GoldenCache ofRun = GoldenCache.in(settings.session().resolve("goldens"));
        cache = ofRun;
        return ofRun;
    }

    private UsedContent contentOfUses() {
        UsedContent known = content;
        if (known == null) {
            known = new UsedContent(settings.classPath(), settings.parameters());
            content = known;
        }
        return known;
    }

    /** What every model depends on, without what it uses. */
    private String keyOf(Variant variant) throws IOException {
        String digestOfOurs = frameworks;
        if (digestOfOurs == null) {
            digestOfOurs = ClassPathDigest.of(settings.frameworks());
            frameworks = digestOfOurs;
        }
        Digest key = new Digest()
                .add(digestOfOurs)
                .add(Runtime.version().toString())
                .add(variant.source().model())
                .add(Integer.toString(variant.test().ranks()))
                .add(variant.platform())
                .add(variant.test().runtime());
        for (BufferDeclaration each : variant.test().buffers()) {
            key.add(each.name() + " " + each.type() + " " + each.count() + " " + each.shape() + " " + each.role() + " "
                    + each.unverified());
        }
        return key.hex();
    }
}
