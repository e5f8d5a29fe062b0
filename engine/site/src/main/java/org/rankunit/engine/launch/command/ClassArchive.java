package org.rankunit.engine.launch.command;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.config.files.CacheFolder;
import org.rankunit.engine.config.files.PrivateFolder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An archive of the classes that every rank loads, which halves the start-up time of a rank JVM. It is an AppCDS archive or, if the
 * JDK can make one in a single step, an AOT cache, which also holds linked classes and profiles.
 *
 * <p>It is built once for each JDK and set of framework jars, by a low-priority process alongside the first run, and kept in the
 * user's cache folder. It is optional: if it is missing or does not match, the JVM starts without it and prints nothing.
 */
final class ClassArchive implements AutoCloseable {

    /** How many archives are kept, the newest ones; each has a few megabytes. */
    private static final int KEPT = 8;

    /** How long the end of a run waits for an archive that is being built, so that short runs get one, too. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** The first JDK that makes an AOT cache in a single step. */
    private static final int FIRST_WITH_AOT = 25;

    private final Path file;
    private final List<Path> jars;
    private final Duration patience;
    private final boolean aot = Runtime.version().feature() >= FIRST_WITH_AOT;
    private @Nullable Process builder;
    private @Nullable Path built;

    private ClassArchive(Path folder, List<Path> jars, Duration patience) throws IOException {
        this.file = folder.resolve(key(jars) + (aot ? ".aot" : ".jsa"));
        this.jars = jars;
        this.patience = patience;
    }

    /**
     * Find the archive for these jars, whether or not it has been built. Empty if there can be none, since folders cannot be
     * archived.
     */
    static Optional<ClassArchive> of(List<Path> frameworks) {
        return in(CacheFolder.of("classes"), frameworks, PATIENCE);
    }

    /** The same in another folder. */
    static Optional<ClassArchive> in(Path folder, List<Path> frameworks, Duration patience) {
        if (frameworks.stream().anyMatch(Files::isDirectory)) {
            return Optional.empty();
        }
        try {
            // A user who could replace the archive could choose the code that the ranks run.
            ClassArchive archive = new ClassArchive(folder, frameworks, patience);
            CacheFolder.prepareFor(folder);
            CacheFolder.prepareFor(archive.file);
            return Optional.of(archive);
        } catch (FileSystemException e) {
            log().debug("No place for an archive of classes", e);
        } catch (IOException e) {
            System.out.println("rankunit: ranks start without a class archive, and so more slowly: " + e.getMessage());
        }
        return Optional.empty();
    }

    /** The JVM refuses an archive of another build or of other jars; the key avoids trying such archives. */
    private static String key(List<Path> jars) throws IOException {
        StringBuilder text = new StringBuilder(System.getProperty("java.vm.version"))
                .append(System.getProperty("java.vm.vendor"))
                .append(System.getProperty("java.home"));
        for (Path jar : jars) {
            text.append('\n')
                    .append(jar)
                    .append(Files.size(jar))
                    .append(Files.getLastModifiedTime(jar).toMillis());
        }
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256").digest(text.toString().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /** The JVM arguments that use the archive, if it exists and belongs to us. */
    List<String> arguments() {
        if (!PrivateFolder.hasMade(file)) {
            return List.of();
        }
        // A mismatch, for example because of a user's agent, need not be reported.
        return aot
                ? List.of("-XX:AOTCache=" + file, "-Xlog:cds*=off", "-Xlog:aot*=off")
                : List.of("-XX:SharedArchiveFile=" + file, "-Xlog:cds*=off");
    }

    /**
     * Start building the archive unless it already exists.
     *
     * @param folder scratch space that outlives this object
     */
    void buildInBackground(List<String> java, Path folder) {
        if (PrivateFolder.hasMade(file)) {
            return;
        }
        try {
            Path scratch = Files.createDirectories(folder.resolve("archive"));
            built = scratch.resolve("classes");
            List<String> command = new ArrayList<>(List.of("nice", "-n", "10"));
            command.addAll(java);
            // Builds quickly, and matches ranks with this compiler. Other ranks only lack profiles, which they collect
            // themselves.
            command.add(StartOptions.FAST_COMPILER);
            command.add((aot ? "-XX:AOTCacheOutput=" : "-XX:ArchiveClassesAtExit=") + built);
            command.add("-cp");
            command.add(jars.stream().map(Path::toString).collect(Collectors.joining(":")));
            command.add("org.rankunit.engine.rank.ClassArchiveWarmUp");
            command.add(scratch.toString());
            builder = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(scratch.resolve("log").toFile())
                    .start();
        } catch (IOException e) {
            log().debug("Cannot build an archive of classes", e);
        }
    }

    /** Publish the archive if it is finished soon; otherwise give it up and leave it to a later run. */
    @Override
    public void close() {
        Process process = builder;
        if (process == null) {
            return;
        }
        try {
            if (process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS) && process.exitValue() == 0) {
                publish();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            // An AOT cache is assembled by a child process of the builder.
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    /** Other processes may publish the same archive at the same time. Each move is atomic, and the archives are equal. */
    private void publish() {
        Path from = built;
        if (from == null) {
            return;
        }
        try {
            Path fresh = Files.createTempFile(file.getParent(), "fresh-", ".tmp");
            try {
                Files.copy(from, fresh, StandardCopyOption.REPLACE_EXISTING);
                Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                // Exists at this point only if the disk is full.
                Files.deleteIfExists(fresh);
            }
            removeOld();
        } catch (IOException e) {
            log().debug("Cannot keep the archive of classes", e);
        }
    }

    private void removeOld() throws IOException {
        List<Path> archives;
        try (Stream<Path> files = Files.list(file.getParent())) {
            archives = files.filter(f -> f.getFileName().toString().matches(".*\\.(jsa|aot)"))
                    .sorted(Comparator.comparing(ClassArchive::modified).reversed())
                    .toList();
        }
        for (Path old : archives.subList(Math.min(KEPT, archives.size()), archives.size())) {
            Files.deleteIfExists(old);
        }
    }

    private static long modified(Path path) {
        return path.toFile().lastModified();
    }

    /** Obtained only when there is something to log: without a provider, SLF4J prints a warning for the first logger. */
    private static Logger log() {
        return LoggerFactory.getLogger(ClassArchive.class);
    }
}
