package org.rankunit.engine.collect;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.zip.CRC32;
import org.rankunit.engine.config.ConfigKey;
import org.rankunit.engine.config.DurationsPlace;
import org.rankunit.engine.config.files.CacheFolder;
import org.rankunit.engine.config.files.ProcessLock;
import org.rankunit.engine.plan.Durations;
import org.rankunit.engine.protocol.wire.RecordCodec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A durations file, to which the processes of many runs add. It is replaced atomically, so a reader always finds a complete file.
 *
 * <p>No run fails because of it. Unreadable files are reported once in a JVM and treated as absent; a file that the user
 * named is then not replaced, since it may be something else.
 */
public final class DurationsFile {

    private static final Object IN_THIS_JVM = new Object();
    private static final Set<String> TOLD = ConcurrentHashMap.newKeySet();
    private static final long MAX_BYTES = 64L << 20;

    /** How long to wait for other processes, which need milliseconds; after that the file is written without the lock. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Path file;
    private final boolean named;
    private final Consumer<String> console;
    private final RecordCodec codec = new RecordCodec();

    /**
     * Use this file, which need not exist.
     *
     * @param named whether the user named it, and must be told if it cannot be used
     * @param console prints a line
     */
    public DurationsFile(Path file, boolean named, Consumer<String> console) {
        this.file = file;
        this.named = named;
        this.console = console;
    }

    /** Read the file; returns no durations if it does not exist or is not a durations file. */
    public Durations read() {
        try {
            return content();
        } catch (IOException e) {
            tell(file + " contains no durations of tests: " + e.getMessage()
                    + (named ? ". It is left unchanged; remove it, or set " + ConfigKey.DURATIONS.key() + "." : "."));
            return Durations.NONE;
        }
    }

    /** A short checksum that distinguishes these durations from others. */
    public static String fingerprint(Durations durations) {
        try {
            CRC32 sum = new CRC32();
            sum.update(new RecordCodec().encode(durations, Durations.class));
            return String.format("%08x", sum.getValue());
        } catch (IOException e) {
            throw new IllegalStateException("what was read can be written", e);
        }
    }

    /**
     * Add these measurements.
     *
     * @param before earlier records of tests that the file does not contain
     */
    public void add(Durations measured, Durations before) {
        if (measured.equals(Durations.NONE)) {
            return;
        }
        try {
            if (named) {
                Files.createDirectories(file.getParent());
            } else {
                CacheFolder.prepareFor(file);
            }
            synchronized (IN_THIS_JVM) {
                replaceAlone(measured, before);
            }
        } catch (IOException e) {
            if (named) {
                tell(file + " cannot be written and does not contain the durations of this run: " + e);
            } else {
                log().debug("Cannot keep durations in {}", file, e);
            }
        }
    }

    /** Lock out other processes while writing; if that is not possible, the last writer wins. */
    private void replaceAlone(Durations measured, Durations before) throws IOException {
        Path path = DurationsPlace.lock();
        FileChannel lock;
        try {
            CacheFolder.prepareFor(path);
            lock = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (IOException e) {
            log().debug("Writing {} without a lock", file, e);
            replace(measured, before);
            return;
        }
        // Held until the channel is closed.
        try (lock) {
            if (!ProcessLock.lock(lock, PATIENCE)) {
                log().debug("Writing {} though another process holds {}", file, path);
            }
            replace(measured, before);
        }
    }

    private void replace(Durations measured, Durations before) throws IOException {
        Durations present;
        try {
            present = content();
        } catch (IOException e) {
            if (named) {
                // Already reported when the file was read.
                log().debug("Leaving {} as it is", file, e);
                return;
            }
            present = Durations.NONE;
        }
        Path fresh = file.resolveSibling(
                "." + file.getFileName() + "." + ProcessHandle.current().pid() + ".new");
        try {
            Files.writeString(fresh, codec.encodePretty(present.with(measured, before)) + "\n");
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            // Exists only if writing or moving it failed, as on a full disk.
            Files.deleteIfExists(fresh);
        }
    }

    private Durations content() throws IOException {
        if (!Files.exists(file)) {
            return Durations.NONE;
        }
        if (!named) {
            CacheFolder.prepareFor(file);
        }
        if (Files.size(file) > MAX_BYTES) {
            throw new IOException("it has more than " + MAX_BYTES + " bytes");
        }
        return codec.decode(Files.readAllBytes(file), Durations.class);
    }

    private void tell(String text) {
        if (TOLD.add(text)) {
            console.accept("rankunit: " + text);
        }
    }

    /** Created only when there is something to log: without a provider, slf4j prints a warning at the first logger. */
    private static Logger log() {
        return LoggerFactory.getLogger(DurationsFile.class);
    }
}
