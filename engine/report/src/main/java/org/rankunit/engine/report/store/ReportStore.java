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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.config.ConfigKey;
import org.rankunit.engine.config.files.ProcessLock;
import org.rankunit.engine.report.Pictures;
import org.rankunit.engine.report.ReportFormat;
import org.rankunit.engine.report.RunReport;
import org.rankunit.engine.report.html.HtmlReport;
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
    private final List<ReportFormat> formats = List.of(json, new HtmlReport());

    public ReportStore(Path folder) {
        this(folder, PATIENCE);
    }

    /** @param patience how long to wait for other processes of the run */
    ReportStore(Path folder, Duration patience) {
        this.folder = folder;
        this.patience = patience;
    }

    /** The message is complete and needs no further context. */
    private static final class CompleteException extends IOException {

        private static final long serialVersionUID = 1L;

        CompleteException(String message, @Nullable IOException cause) {
            super(message, cause);
        }
    }

    /**
     * Write the results of one execution of the engine.
     *
     * @throws IOException if the report cannot be written; the message says what to do. Each file is then unchanged or complete
     */
    public void write(
            String version,
            String platform,
            RunReport.Execution execution,
            List<RunReport.TestEntry> tests,
            List<RunReport.Picture> pictures)
            throws IOException {
        write(() -> withEarlier(version, platform, execution, tests, pictures));
    }

    /**
     * Replace what is in the folder by this report.
     *
     * @throws IOException as {@link #write(String, String, RunReport.Execution, List, List)}
     */
    public void replace(RunReport report) throws IOException {
        write(() -> report);
    }

    private void write(Supplier<RunReport> report) throws IOException {
        try {
            writeAlone(report);
        } catch (CompleteException e) {
            throw e;
        } catch (IOException e) {
            throw notWritten(report(), e);
        }
    }

    private static CompleteException notWritten(Path file, IOException cause) {
        return new CompleteException(
                file + " cannot be written and does not contain this run: " + cause.getMessage()
                        + ". Make room there, or set " + ConfigKey.OUTPUT_DIR.key() + ".",
                cause);
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
                    throw new CompleteException(
                            report() + " does not contain this run: "
                                    + (Thread.currentThread().isInterrupted()
                                            ? "the wait for " + lock + " was interrupted."
                                            : "another process has held " + lock + " for " + patience.toMillis()
                                                    + " ms. Find it with lslocks, and resume or end it."),
                            null);
                }
                RunReport content = report.get();
                for (ReportFormat format : formats) {
                    try {
                        replace(content, format);
                    } catch (IOException e) {
                        throw notWritten(folder.resolve(format.fileName()), e);
                    }
                }
            }
        }
    }

    private RunReport withEarlier(
            String version,
            String platform,
            RunReport.Execution execution,
            List<RunReport.TestEntry> tests,
            List<RunReport.Picture> pictures) {
        String run = RunIdentity.ofThisProcess();
        Optional<RunReport> earlier = earlier(run);
        List<RunReport.Execution> executions =
                new ArrayList<>(earlier.map(RunReport::executions).orElse(List.of()));
        List<RunReport.TestEntry> all =
                new ArrayList<>(earlier.map(RunReport::tests).orElse(List.of()));
        int number = executions.size() + 1;
        executions.add(execution.numbered(number));
        Map<String, Integer> attempts = new HashMap<>();
        all.forEach(each -> attempts.merge(each.uniqueId(), 1, Integer::sum));
        for (RunReport.TestEntry test : tests) {
            all.add(test.as(attempts.merge(test.uniqueId(), 1, Integer::sum), number));
        }
        String java = System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version");
        String now = Instant.now().truncatedTo(ChronoUnit.MILLIS).toString();
        List<RunReport.Picture> drawn = new Pictures()
                .add(earlier.map(RunReport::pictures).orElse(List.of()))
                .add(pictures)
                .all();
        return new RunReport(RunReport.SCHEMA_VERSION, version, run, platform, java, now, executions, all, drawn);
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

    /** What other processes of the same run have written, or this one in an earlier execution. */
    private Optional<RunReport> earlier(String run) {
        if (!Files.exists(report())) {
            return Optional.empty();
        }
        try {
            return Optional.of(json.read(report())).filter(found -> found.run().equals(run));
        } catch (JsonReport.OtherVersionException e) {
            log().info("Replacing a report of another version of RankUnit: {}", e.getMessage());
        } catch (IOException e) {
            log().warn("Replacing {}, which is not a complete report: {}", report(), e.getMessage());
        }
        return Optional.empty();
    }

    /** Created only when there is something to log: without a provider, slf4j prints a warning at the first logger. */
    private static Logger log() {
        return LoggerFactory.getLogger(ReportStore.class);
    }
}
