package org.rankunit.engine.report;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.rankunit.engine.config.ConfigKey;
import org.rankunit.engine.control.RecordCodec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes {@code report.json}; processes of the same run add to it, a new run replaces it. */
public final class ReportWriter {

    private static final Object IN_THIS_JVM = new Object();

    private final Path file;
    private final RecordCodec codec = new RecordCodec();

    public ReportWriter(Path folder) {
        this.file = folder.resolve("report.json");
    }

    /**
     * Write the results of one run of the engine.
     *
     * @throws IOException which says what to do; then the file is as it was
     */
    public void write(String version, String platform, List<RunReport.TestEntry> tests) throws IOException {
        try {
            writeAlone(version, platform, tests);
        } catch (IOException e) {
            throw new IOException(
                    file + " cannot be written, and says nothing of this run: " + e.getMessage()
                            + ". Make room there, or set " + ConfigKey.OUTPUT_DIR.key() + ".",
                    e);
        }
    }

    private void writeAlone(String version, String platform, List<RunReport.TestEntry> tests) throws IOException {
        Files.createDirectories(file.getParent());
        synchronized (IN_THIS_JVM) {
            try (FileChannel channel = FileChannel.open(
                    file.resolveSibling(".report.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                // Held until the channel is closed.
                channel.lock();
                replace(version, platform, tests);
            }
        }
    }

    private void replace(String version, String platform, List<RunReport.TestEntry> tests) throws IOException {
        String run = RunIdentity.ofThisProcess();
        List<RunReport.TestEntry> all = earlier(run);
        for (RunReport.TestEntry test : tests) {
            int attempts = (int) all.stream()
                    .filter(e -> e.uniqueId().equals(test.uniqueId()))
                    .count();
            all.add(test.asAttempt(attempts + 1));
        }
        String java = System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version");
        RunReport report = new RunReport(
                version,
                run,
                platform,
                java,
                Instant.now().truncatedTo(ChronoUnit.MILLIS).toString(),
                all);
        Path fresh = file.resolveSibling(".report.json.new");
        try {
            Files.writeString(fresh, codec.encodePretty(report) + "\n");
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            // There only where the disk is full.
            Files.deleteIfExists(fresh);
        }
    }

    /** What other processes of the same run have written, or this one in an earlier execution. */
    private List<RunReport.TestEntry> earlier(String run) {
        if (!Files.exists(file)) {
            return new ArrayList<>();
        }
        try {
            RunReport found = codec.decode(Files.readString(file).getBytes(StandardCharsets.UTF_8), RunReport.class);
            return found.run().equals(run) ? new ArrayList<>(found.tests()) : new ArrayList<>();
        } catch (IOException e) {
            log().debug("Replacing {}, which is not a report of this version", file, e);
            return new ArrayList<>();
        }
    }

    /** Asked for only when there is something to say: without a provider, slf4j complains at the first logger. */
    private static Logger log() {
        return LoggerFactory.getLogger(ReportWriter.class);
    }
}
