package org.rankunit.engine.timeline.trace;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.config.TimelineMode;
import org.rankunit.engine.timeline.RankLog;
import org.rankunit.engine.timeline.TestRange;
import org.rankunit.engine.timeline.graphs.GraphFiles;
import org.rankunit.engine.timeline.order.EventGraph;

/** The folder of the timelines of a run, one file for each test, and those of its graphs. Thread-safe: groups work on separate threads. */
public final class TraceFolder {

    private static final int MAX_CHARS = 120;
    private static final int HASH_CHARS = 8;

    private final Path folder;
    private final TimelineMode mode;
    private final TimelineMode.Arguments arguments;

    /** @param outputFolder the folder of the reports */
    public TraceFolder(Path outputFolder, TimelineMode mode, TimelineMode.Arguments arguments) {
        this.folder = outputFolder.resolve("trace");
        this.mode = mode;
        this.arguments = arguments;
    }

    /**
     * Write the timeline of a test from what its ranks have recorded so far, if there is to be one, and its graphs.
     *
     * @param recorded what each rank has recorded; empty if nothing is. Asked only if it is needed. Copies of memory are deleted
     * @param uniqueId the id with which the ranks have marked the test
     * @param title the name of the test with its variant
     * @param phases those of ranks that have reported them
     * @return what was written, or empty if nothing was
     */
    public Optional<TestTimeline> write(
            Supplier<List<RecordFiles>> recorded,
            String uniqueId,
            String title,
            boolean failed,
            List<HostPhase> phases) {
        boolean isWritten = mode.writes(failed);
        boolean mayHaveMemory = mode.records() && arguments == TimelineMode.Arguments.MEMORY;
        List<RecordFiles> records = isWritten || mayHaveMemory ? recorded.get() : List.of();
        if (records.isEmpty()) {
            return Optional.empty();
        }
        try {
            return isWritten ? write(records, uniqueId, title, phases) : Optional.empty();
        } catch (IOException | RuntimeException e) {
            // A test must not fail because of its timeline.
            System.out.println("rankunit: there is no timeline of " + title + ": " + e);
            return Optional.empty();
        } finally {
            deleteMemory(records);
        }
    }

    private void deleteMemory(List<RecordFiles> records) {
        if (arguments != TimelineMode.Arguments.MEMORY) {
            return;
        }
        for (RecordFiles each : records) {
            try {
                Files.deleteIfExists(each.memory());
            } catch (IOException e) {
                System.out.println("rankunit: " + each.memory() + " remains until its group ends: " + e);
            }
        }
    }

    private Optional<TestTimeline> write(
            List<RecordFiles> records, String uniqueId, String title, List<HostPhase> phases) throws IOException {
        Arrows arrows = new Arrows();
        TraceFile trace = new TraceFile(title, arrows);
        List<TestRange> ranges = new ArrayList<>();
        List<LaneUse> busy = new ArrayList<>();
        boolean any = false;
        for (int rank = 0; rank < records.size(); rank++) {
            TestRange range = TestRange.none();
            Path file = records.get(rank).log();
            if (Files.exists(file)) {
                RankLog log = RankLog.open(file);
                range = log.range(uniqueId).orElse(range);
                if (log.dropped() > 0) {
                    trace.addDropped(rank, log.dropped());
                }
            }
            ranges.add(range);
            if (!range.events().isEmpty()) {
                RankTrace ofRank = new RankTrace(rank, range, title, arrows);
                trace.add(rank, ofRank);
                busy.addAll(trace.addUse(rank, ofRank.slices()));
                any = true;
            }
        }
        if (!any) {
            return Optional.empty();
        }
        EventGraph.Size size = EventGraph.sizeOf(ranges);
        EventGraph graph = size.isTooLarge() ? null : EventGraph.ofRun(ranges);
        addPaths(trace, graph, size);
        phases.forEach(trace::addPhase);
        String name = fileName(title, uniqueId);
        Path file = store(name + ".json", trace::write);
        List<Path> memory = records.stream().map(RecordFiles::memory).toList();
        GraphFiles.write(
                title, ranges, graph, arguments, memory, (suffix, content) -> store(name + suffix, content::write));
        return Optional.of(new TestTimeline(file, busy));
    }

    private static void addPaths(TraceFile trace, @Nullable EventGraph graph, EventGraph.Size size) {
        String length;
        if (graph == null) {
            length = "not known: " + size.text("can be connected");
        } else {
            PathTrace paths = new PathTrace(graph);
            length = paths.addTest();
            paths.addRuns();
            trace.add(paths.slices());
        }
        if (!length.isEmpty()) {
            trace.remark("critical path", length);
        }
    }

    /** Writes a whole file. */
    private interface Content {

        void write(Path file) throws IOException;
    }

    private Path store(String name, Content content) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        Path fresh = file.resolveSibling("." + file.getFileName() + ".new");
        try {
            content.write(fresh);
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(fresh);
        }
        return file;
    }

    /** For people, and different for different tests; without a suffix. */
    private static String fileName(String title, String uniqueId) {
        String readable = title.replaceAll("[^A-Za-z0-9._-]+", "-").replaceAll("-+$", "");
        String cut = readable.substring(0, Math.min(MAX_CHARS, readable.length()));
        String hash = UUID.nameUUIDFromBytes((title + uniqueId).getBytes(StandardCharsets.UTF_8))
                .toString()
                .substring(0, HASH_CHARS);
        return cut + "-" + hash;
    }
}
