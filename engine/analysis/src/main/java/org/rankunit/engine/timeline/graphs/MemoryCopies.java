package org.rankunit.engine.timeline.graphs;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.timeline.LoggedEvent;

/** What ranks have copied of the memory of tasks. Not thread-safe. */
final class MemoryCopies {

    private static final String FOLDER = ".arguments/";

    private final List<Path> files;

    /** Those whose bytes were found. */
    private final Set<LoggedEvent.MemoryCopy> stored = new HashSet<>();

    /** @param files the file of each rank, which need not exist */
    MemoryCopies(List<Path> files) {
        this.files = files;
    }

    /** Write a file for each copy. What is missing, as after a crash, is left out. */
    void store(List<GraphRun> runs, GraphFiles.Store store) throws IOException {
        for (GraphRun run : runs) {
            for (GraphRun.Task task : run.tasks()) {
                for (LoggedEvent.MemoryCopy copy : task.copies) {
                    if (copy.exists()) {
                        store(run, task, copy, store);
                    }
                }
            }
        }
    }

    private void store(GraphRun run, GraphRun.Task task, LoggedEvent.MemoryCopy copy, GraphFiles.Store store)
            throws IOException {
        try (FileChannel from = FileChannel.open(files.get(run.rank()), StandardOpenOption.READ)) {
            if (from.size() < copy.offset() + copy.bytes()) {
                return;
            }
            store.store(FOLDER + fileName(run, task, copy), file -> copy(from, copy, file));
            stored.add(copy);
        } catch (NoSuchFileException e) {
            // The group has ended, and with it its folder.
        }
    }

    private static void copy(FileChannel from, LoggedEvent.MemoryCopy copy, Path file) throws IOException {
        try (FileChannel to = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (long done = 0; done < copy.bytes(); ) {
                done += from.transferTo(copy.offset() + done, copy.bytes() - done, to);
            }
        }
    }

    /** Get the name of the file in the folder of the test; {@code null} if there is none. */
    @Nullable String nameOf(GraphRun run, GraphRun.Task task, LoggedEvent.MemoryCopy copy) {
        return stored.contains(copy) ? fileName(run, task, copy) : null;
    }

    private static String fileName(GraphRun run, GraphRun.Task task, LoggedEvent.MemoryCopy copy) {
        return "rank-" + run.rank() + "-run-" + run.number() + "-task-" + task.number() + "-argument-" + copy.argument()
                + (copy.after() ? "-after" : "-before") + ".bin";
    }
}
