package org.rankunit.engine.prepare;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.rankunit.engine.compile.cache.KernelCache;
import org.rankunit.engine.config.files.CacheFolder;
import org.rankunit.engine.prepare.model.ModelFiles;
import org.rankunit.engine.prepare.model.ModelResult;
import org.rankunit.engine.protocol.Variant;
import org.rankunit.engine.protocol.wire.RecordCodec;
import org.slf4j.LoggerFactory;

/**
 * The results of models, each in a folder that appears as a whole and is named by what the model was asked for and what it used. Processes
 * may use the same folder at the same time: if two compute the same, the first result stays.
 */
final class GoldenCache {

    /** How long an entry is kept after its last use. */
    private static final Duration KEPT = Duration.ofDays(14);

    /** How much is kept. */
    static final long MAX_BYTES = 4L << 30;

    /** Another run may be using what was used so lately: ranks read files when their group begins. */
    private static final Duration IN_USE = Duration.ofMinutes(10);

    private static final int USES_DIGITS = 32;

    private static final String MANIFEST = "manifest.json";
    private static final String SCRATCH = "new-";

    private final Path folder;

    private GoldenCache(Path folder) {
        this.folder = folder;
    }

    /** Use a folder, which is created if it does not exist, and refused unless only this user can use it. */
    static GoldenCache in(Path folder) throws IOException {
        CacheFolder.prepareFor(folder.resolve(MANIFEST));
        return new GoldenCache(folder);
    }

    /** A result, in a folder with its files. */
    record Entry(Path folder, ModelResult result) {}

    /**
     * Find a result with this key whose files are whole, of a model that used what there is now.
     *
     * @param key digest of what the model was asked for
     */
    Optional<Entry> find(String key, Variant variant, UsedContent content) throws IOException {
        try (DirectoryStream<Path> candidates = Files.newDirectoryStream(folder, key + "-*")) {
            for (Path entry : candidates) {
                Optional<ModelResult> result = read(entry, variant);
                if (result.isEmpty()) {
                    KernelCache.remove(entry);
                } else if (entry.equals(entryOf(key, content.digest(result.get().uses())))) {
                    touch(entry);
                    return Optional.of(new Entry(entry, result.get()));
                }
            }
        }
        return Optional.empty();
    }

    private Path entryOf(String key, String uses) {
        return folder.resolve(key + "-" + uses.substring(0, USES_DIGITS));
    }

    /** Say that a result is in use. */
    static void touch(Path entry) {
        try {
            Files.setLastModifiedTime(entry.resolve(MANIFEST), FileTime.from(Instant.now()));
        } catch (IOException e) {
            // It may be gone. The code that needs its files reports that.
            LoggerFactory.getLogger(GoldenCache.class).debug("{} cannot be marked as used", entry, e);
        }
    }

    /** The result in a folder if all its files are whole. */
    private static Optional<ModelResult> read(Path entry, Variant variant) throws IOException {
        try {
            ModelResult result =
                    new RecordCodec().decode(Files.readAllBytes(entry.resolve(MANIFEST)), ModelResult.class);
            return isWhole(entry, result, variant) ? Optional.of(result) : Optional.empty();
        } catch (IOException absentOrDamaged) {
            return Optional.empty();
        }
    }

    private static boolean isWhole(Path entry, ModelResult result, Variant variant) throws IOException {
        for (int rank = 0; rank < variant.test().ranks(); rank++) {
            for (String input : result.inputs()) {
                if (!isWhole(ModelFiles.fileOf(entry.resolve(ModelFiles.INPUTS), rank, input), variant, input)) {
                    return false;
                }
            }
            for (var output : result.outputs()) {
                Path file = ModelFiles.fileOf(entry.resolve(ModelFiles.OUTPUTS), rank, output.buffer());
                if (!output.unwrittenOn().contains(rank) && !isWhole(file, variant, output.buffer())) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean isWhole(Path file, Variant variant, String buffer) throws IOException {
        return Files.isRegularFile(file)
                && Files.size(file) == variant.buffer(buffer).orElseThrow().bytes();
    }

    /** Make a folder in which a result is computed. The caller publishes or removes it. */
    Path scratch() throws IOException {
        return Files.createTempDirectory(folder, SCRATCH);
    }

    /**
     * Turn one of our folders into an entry.
     *
     * @param uses digest of the present content of what the model used
     */
    Entry publish(String key, String uses, Path computed, ModelResult result) throws IOException {
        Files.writeString(computed.resolve(MANIFEST), new RecordCodec().encodePretty(result), StandardCharsets.UTF_8);
        Path entry = entryOf(key, uses);
        try {
            Files.move(computed, entry, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileSystemException e) {
            if (!Files.exists(entry.resolve(MANIFEST))) {
                throw e;
            }
        }
        return new Entry(entry, result);
    }

    /**
     * Remove what was not used for long, and what was used longest ago until the rest is small enough. What runs may be using stays.
     *
     * @param mostBytes the size of what stays
     */
    void prune(long mostBytes) throws IOException {
        Instant now = Instant.now();
        List<Used> entries = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, Files::isDirectory)) {
            for (Path entry : all) {
                entries.add(Used.of(entry));
            }
        }
        entries.sort(Comparator.comparing(Used::last).reversed());
        long bytes = 0;
        for (Used each : entries) {
            bytes = Math.addExact(bytes, each.bytes());
            boolean isOld = each.last().isBefore(now.minus(KEPT));
            boolean isTooMuch = bytes > mostBytes && each.last().isBefore(now.minus(IN_USE));
            if (isOld || isTooMuch) {
                KernelCache.remove(each.entry());
                bytes -= each.bytes();
            }
        }
    }

    /** When an entry was used last, and its size. */
    private record Used(Path entry, Instant last, long bytes) {

        static Used of(Path entry) throws IOException {
            Path manifest = entry.resolve(MANIFEST);
            Path dated = Files.exists(manifest) ? manifest : entry;
            long bytes = 0;
            try (Stream<Path> files = Files.walk(entry)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    bytes += Files.size(file);
                }
                return new Used(entry, Files.getLastModifiedTime(dated).toInstant(), bytes);
            } catch (NoSuchFileException | UncheckedIOException removedMeanwhile) {
                return new Used(entry, Instant.now(), 0);
            }
        }
    }
}
