package org.rankunit.engine.timeline.graphs;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.config.TimelineMode.Arguments;
import org.rankunit.engine.timeline.LoggedEvent;
import org.rankunit.engine.timeline.TestRange;
import org.rankunit.engine.timeline.order.EventGraph;

/** The task graphs of a test as files. Stateless. */
public final class GraphFiles {

    private GraphFiles() {}

    /** Who made the signals that waits of tasks have seen. */
    static final class Sources {

        private final @Nullable SignalSources known;

        Sources(@Nullable EventGraph graph) {
            known = graph == null ? null : new SignalSources(graph);
        }

        List<SignalSources.Source> of(int rank, LoggedEvent.Wait wait) {
            return known == null ? List.of() : known.of(rank, wait);
        }

        /** Why none is named; otherwise empty. */
        String without() {
            return known == null ? "the test has too many events to say who made the signals" : "";
        }
    }

    /** How a file is made. */
    public interface Content {

        void write(Path file) throws IOException;
    }

    /** Keeps files. */
    public interface Store {

        /**
         * Keep a file.
         *
         * @param suffix what distinguishes the file from the others of the test, such as {@code ".dot"}
         */
        void store(String suffix, Content content) throws IOException;
    }

    /**
     * Write the files of a test, if it ran a graph.
     *
     * @param ranges what each rank has recorded
     * @param graph what happened before what; {@code null} if that is too much
     * @param memory the file of each rank for copies of memory, which need not exist
     */
    public static void write(
            String title,
            List<TestRange> ranges,
            @Nullable EventGraph graph,
            Arguments arguments,
            List<Path> memory,
            Store store)
            throws IOException {
        List<GraphRun> runs = GraphRun.in(ranges);
        if (runs.isEmpty()) {
            return;
        }
        Sources sources = new Sources(graph);
        MemoryCopies copies = new MemoryCopies(memory);
        copies.store(runs, store);
        store.store(".dot", file -> {
            try (Writer out = writer(file)) {
                DotFile.write(out, title, runs, sources);
            }
        });
        store.store(".graph.json", file -> {
            try (Writer out = writer(file)) {
                GraphJson.write(out, title, runs, arguments, sources, copies);
            }
        });
    }

    /** Replaces what is no text rather than refusing it. */
    private static Writer writer(Path file) throws IOException {
        return new BufferedWriter(new OutputStreamWriter(Files.newOutputStream(file), StandardCharsets.UTF_8));
    }
}
