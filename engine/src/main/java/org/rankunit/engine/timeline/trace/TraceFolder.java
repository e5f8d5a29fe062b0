package org.rankunit.engine.timeline.trace;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.rankunit.engine.config.TimelineMode;
import org.rankunit.engine.timeline.RankLog;
import org.rankunit.engine.timeline.TestRange;

/** The folder of the timelines of a run, one file for each test. Thread-safe: groups work on separate threads. */
public final class TraceFolder {

    private static final int MOST_CHARS = 120;
    private static final int HASH_CHARS = 8;

    private final Path folder;
    private final TimelineMode mode;

    /** @param outputFolder the folder of the reports */
    public TraceFolder(Path outputFolder, TimelineMode mode) {
        this.folder = outputFolder.resolve("trace");
        this.mode = mode;
    }

    /**
     * Write the timeline of a test from what its ranks have recorded so far, if there is to be one.
     *
     * @param logs the log of each rank; empty if nothing is recorded
     * @param uniqueId the id with which the ranks have marked the test
     * @param title the name of the test with its variant
     * @return the file, or empty if none was written
     */
    public Optional<Path> write(List<Path> logs, String uniqueId, String title, boolean failed) {
        if (logs.isEmpty() || !mode.writes(failed)) {
            return Optional.empty();
        }
        try {
            return write(logs, uniqueId, title);
        } catch (IOException | RuntimeException e) {
            // A test must not fail because of its timeline.
            System.out.println("rankunit: there is no timeline of " + title + ": " + e);
            return Optional.empty();
        }
    }

    private Optional<Path> write(List<Path> logs, String uniqueId, String title) throws IOException {
        Arrows arrows = new Arrows();
        TraceFile trace = new TraceFile(title, arrows);
        boolean any = false;
        for (int rank = 0; rank < logs.size(); rank++) {
            if (!Files.exists(logs.get(rank))) {
                continue;
            }
            RankLog log = RankLog.open(logs.get(rank));
            Optional<TestRange> range = log.range(uniqueId);
            if (range.isPresent()) {
                trace.add(rank, new RankTrace(rank, range.get(), title, arrows));
                any = true;
            }
            if (log.dropped() > 0) {
                trace.addDropped(rank, log.dropped());
            }
        }
        return any ? Optional.of(store(trace, fileName(title, uniqueId))) : Optional.empty();
    }

    private Path store(TraceFile trace, String name) throws IOException {
        Files.createDirectories(folder);
        Path file = folder.resolve(name);
        Path fresh = folder.resolve("." + name + ".new");
        try {
            trace.write(fresh);
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(fresh);
        }
        return file;
    }

    /** For people, and different for different tests. */
    private static String fileName(String title, String uniqueId) {
        String readable = title.replaceAll("[^A-Za-z0-9._-]+", "-").replaceAll("-+$", "");
        String cut = readable.substring(0, Math.min(MOST_CHARS, readable.length()));
        String hash = UUID.nameUUIDFromBytes((title + uniqueId).getBytes(StandardCharsets.UTF_8))
                .toString()
                .substring(0, HASH_CHARS);
        return cut + "-" + hash + ".json";
    }
}
