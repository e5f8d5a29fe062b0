package org.rankunit.engine.prepare;

import java.io.IOException;
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
import java.util.Optional;
import org.rankunit.engine.compile.cache.KernelCache;
import org.rankunit.engine.config.files.CacheFolder;
import org.rankunit.engine.control.wire.RecordCodec;
import org.rankunit.engine.prepare.ModelFiles.Manifest;

/**
 * The results of models, each in a folder that is named by its key and appears as a whole. Processes may use the same folder at the same
 * time: if two compute the same, the first result stays.
 */
final class GoldenCache {

    /** How long an entry is kept after its last use. */
    private static final Duration KEPT = Duration.ofDays(14);

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

    Path entry(String key) {
        return folder.resolve(key);
    }

    /** Find the result with this key if all its files are whole. */
    Optional<Manifest> find(String key, Variant variant) throws IOException {
        Path entry = entry(key);
        try {
            Manifest manifest = new RecordCodec().decode(Files.readAllBytes(entry.resolve(MANIFEST)), Manifest.class);
            if (isWhole(entry, manifest, variant)) {
                Files.setLastModifiedTime(entry.resolve(MANIFEST), FileTime.from(Instant.now()));
                return Optional.of(manifest);
            }
        } catch (NoSuchFileException absent) {
            return Optional.empty();
        } catch (IOException damaged) {
            // As one whose files are not whole.
        }
        KernelCache.remove(entry);
        return Optional.empty();
    }

    private static boolean isWhole(Path entry, Manifest manifest, Variant variant) throws IOException {
        for (int rank = 0; rank < variant.test().ranks(); rank++) {
            for (String input : manifest.inputs()) {
                if (!isWhole(ModelFiles.fileOf(entry.resolve(ModelFiles.INPUTS), rank, input), variant, input)) {
                    return false;
                }
            }
            for (var output : manifest.outputs()) {
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

    /** Make a folder of ours an entry. */
    void publish(String key, Path computed, Manifest manifest) throws IOException {
        Files.writeString(computed.resolve(MANIFEST), new RecordCodec().encodePretty(manifest), StandardCharsets.UTF_8);
        try {
            Files.move(computed, entry(key), StandardCopyOption.ATOMIC_MOVE);
        } catch (FileSystemException e) {
            if (!Files.exists(entry(key).resolve(MANIFEST))) {
                throw e;
            }
        }
    }

    /** Remove what was not used for long. */
    void prune() throws IOException {
        Instant oldest = Instant.now().minus(KEPT);
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, Files::isDirectory)) {
            for (Path entry : entries) {
                Path dated = Files.exists(entry.resolve(MANIFEST)) ? entry.resolve(MANIFEST) : entry;
                if (Files.getLastModifiedTime(dated).toInstant().isBefore(oldest)) {
                    KernelCache.remove(entry);
                }
            }
        }
    }
}
