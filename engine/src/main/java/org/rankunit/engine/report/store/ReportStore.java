package org.rankunit.engine.report.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.rankunit.engine.config.ConfigKey;
import org.rankunit.engine.config.ProcessLock;
import org.rankunit.engine.report.ReportFormat;
import org.rankunit.engine.report.RunReport;
import org.rankunit.engine.report.json.JsonReport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores the report of a run in a folder, in every format; processes of the same run add to it, a new run replaces it.
 *
 * <p>The results that processes of a run have written so far are read back from {@code report.json}.
 */
public final class ReportStore {

    /** How long to wait for other processes of the run, which need milliseconds. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final Object IN_THIS_JVM = new Object();

    private final Path folder;
    private final Duration patience;
    private final JsonReport json = new JsonReport();
    private final List<ReportFormat> formats = List.of(json);

    public ReportStore(Path folder) {
        this(folder, PATIENCE);
    }

    /** @param patience how long to wait for other processes of the run */
    ReportStore(Path folder, Duration patience) {
        this.folder = folder;
        this.patience = patience;
    }

    /** The lock could not be acquired; the message is complete and needs no further context. */
    private static final class LockedException extends IOException {

        private static final long serialVersionUID = 1L;

        LockedException(String message) {
            super(message);
        }
    }

    /**
     * Write the results of one run of the engine.
     *
     * @throws IOException if the report cannot be written; the message says what to do. Each file is then unchanged or complete
     */
    public void write(String version, String platform, List<RunReport.TestEntry> tests) throws IOException {
        write(() -> withEarlier(version, platform, tests));
    }

    /**
     * Replace what is in the folder by this report.
     *
     * @throws IOException as {@link #write(String, String, List)}
     */
    public void replace(RunReport report) throws IOException {
        write(() -> report);
    }

    private void write(Supplier<RunReport> report) throws IOException {
        try {
            writeAlone(report);
        } catch (LockedException e) {
            throw e;
        } catch (IOException e) {
            throw new IOException(
                    report() + " cannot be written, and says nothing of this run: " + e.getMessage()
                            + ". Make room there, or set " + ConfigKey.OUTPUT_DIR.key() + ".",
                    e);
        }
    }

    private Path report() {
        return folder.resolve(json.fileName());
    }

    private void writeAlone(Supplier<RunReport> report) throws IOException {
        Files.createDirectories(folder);
        Path lock = folder.resolve(".report.lock");
        synchronized (IN_THIS_JVM) {
            try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                if (!ProcessLock.lock(channel, patience)) {
                    throw new LockedException(report() + " says nothing of this run: "
                            + (Thread.currentThread().isInterrupted()
                                    ? "the wait for " + lock + " was interrupted."
                                    : "another process has held " + lock + " for " + patience.toMillis()
                                            + " ms. Find it with lslocks, and continue or end it."));
                }
                RunReport content = report.get();
                for (ReportFormat format : formats) {
                    replace(content, format);
                }
            }
        }
    }

    private RunReport withEarlier(String version, String platform, List<RunReport.TestEntry> tests) {
        String run = RunIdentity.ofThisProcess();
        List<RunReport.TestEntry> all = earlier(run);
        for (RunReport.TestEntry test : tests) {
            int attempts = (int) all.stream()
                    .filter(e -> e.uniqueId().equals(test.uniqueId()))
                    .count();
            all.add(test.asAttempt(attempts + 1));
        }
        String java = System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version");
        String now = Instant.now().truncatedTo(ChronoUnit.MILLIS).toString();
        return new RunReport(version, run, platform, java, now, all);
    }

    private void replace(RunReport report, ReportFormat format) throws IOException {
        Path fresh = folder.resolve("." + format.fileName() + ".new");
        try {
            Files.deleteIfExists(fresh);
            format.write(report, fresh);
            Files.move(
                    fresh,
                    folder.resolve(format.fileName()),
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } finally {
            // Exists only if writing or moving it failed, as on a full disk.
            Files.deleteIfExists(fresh);
        }
    }

    /** The results written by other processes of the same run, or by this one in an earlier execution. */
    private List<RunReport.TestEntry> earlier(String run) {
        if (!Files.exists(report())) {
            return new ArrayList<>();
        }
        try {
            RunReport found = json.read(report());
            return found.run().equals(run) ? new ArrayList<>(found.tests()) : new ArrayList<>();
        } catch (IOException e) {
            log().debug("Replacing {}, which is not a report of this version", report(), e);
            return new ArrayList<>();
        }
    }

    /** Created only when there is something to log: without a provider, slf4j prints a warning at the first logger. */
    private static Logger log() {
        return LoggerFactory.getLogger(ReportStore.class);
    }
}
