package org.rankunit.engine.rank.files;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.rankunit.engine.protocol.EventRecording;
import org.rankunit.engine.protocol.FileAccess;
import org.slf4j.LoggerFactory;

/** Copies of the parent's files, in a folder of this node that repeats their paths. */
final class CopiedFiles implements ParentFiles {

    /** The file into which Slurm writes what this process prints. */
    private static final Path OUTPUT = Path.of("/proc/self/fd/1");

    private static final Duration LOOK = Duration.ofMillis(100);

    private final Path folder;
    private final Path output;
    private final FileLine line;

    /** How many bytes of its output the parent has. Guarded by this. */
    private long printed;

    /** How many events of a log the parent has. Guarded by this. */
    private final Map<Path, Long> published = new HashMap<>();

    CopiedFiles(FileAccess access) {
        this.folder = Path.of(access.folder());
        this.output = Path.of(access.log());
        this.line = new FileLine(access);
        Thread thread = new Thread(this::publishOutputOften, "rankunit-output");
        thread.setDaemon(true);
        thread.start();
    }

    /** What a rank prints while a test runs is for people who watch it, and for when it dies. */
    private void publishOutputOften() {
        try {
            while (true) {
                publishOutput();
                TimeUnit.NANOSECONDS.sleep(LOOK.toNanos());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (UncheckedIOException e) {
            LoggerFactory.getLogger(CopiedFiles.class).debug("The output of this rank stays on its node", e);
        }
    }

    @Override
    public Path local(Path file) {
        Path copy = copyOf(file);
        try {
            Files.createDirectories(Objects.requireNonNull(copy.getParent()));
        } catch (IOException e) {
            throw new UncheckedIOException("a folder for copies of the parent's files cannot be made: " + e, e);
        }
        return copy;
    }

    /** {@code /home/ada/x} has its copy in {@code <folder>/home/ada/x}. */
    private Path copyOf(Path file) {
        Path whole = file.toAbsolutePath().normalize();
        return folder.resolve(Objects.requireNonNull(whole.getRoot()).relativize(whole));
    }

    @Override
    public Path fetch(Path file) {
        Path copy = local(file);
        line.call("read", file, calls -> {
            if (!calls.read(file, copy)) {
                Files.deleteIfExists(copy);
            }
        });
        return copy;
    }

    @Override
    public Path fetchFolder(Path remote) {
        Path copy = copyOf(remote);
        line.call("read", remote, calls -> {
            Files.createDirectories(copy);
            List<String> names = calls.list(remote);
            for (String name : names) {
                calls.read(remote.resolve(name), copy.resolve(name));
            }
            removeOthers(copy, names);
        });
        return copy;
    }

    /** Files that the parent no longer has. */
    private static void removeOthers(Path copy, List<String> names) throws IOException {
        try (var present = Files.newDirectoryStream(copy)) {
            for (Path each : present) {
                if (Files.isRegularFile(each) && !names.contains(String.valueOf(each.getFileName()))) {
                    Files.delete(each);
                }
            }
        }
    }

    @Override
    public void publish(Path file) {
        Path copy = copyOf(file);
        line.call("write", file, calls -> calls.write(file, copy, 0, Files.size(copy)));
    }

    /** First the events and then the head, which says how many there are. */
    @Override
    public synchronized void publishRecord(Path log) {
        Path copy = copyOf(log);
        if (!Files.isRegularFile(copy)) {
            return;
        }
        line.call("write", log, calls -> {
            long before = published.getOrDefault(log, 0L);
            long now = EventRecording.eventsIn(copy);
            calls.write(log, copy, EventRecording.positionOf(before), EventRecording.positionOf(now));
            calls.write(log, copy, 0, EventRecording.positionOf(0));
            published.put(log, now);
        });
    }

    @Override
    public synchronized void publishOutput() {
        long size;
        try {
            size = Files.size(OUTPUT);
        } catch (IOException e) {
            throw new UncheckedIOException("the output of this rank cannot be read: " + e, e);
        }
        if (size > printed) {
            line.call("write", output, calls -> calls.write(output, OUTPUT, printed, size));
            printed = size;
        }
    }

    @Override
    public void remove(Path file) {
        Path copy = copyOf(file);
        line.call("remove", file, calls -> {
            Files.deleteIfExists(copy);
            calls.remove(file);
        });
    }
}
