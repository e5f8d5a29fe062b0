package org.rankunit.engine.launch.local;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** The threads of this JVM, and its sockets, pipes and the like: what a run opened it must have closed at its end. */
public final class OwnTraces {

    private final Set<String> before;

    private OwnTraces(Set<String> before) {
        this.before = before;
    }

    public static OwnTraces now() throws IOException {
        // Java keeps a pair of sockets for itself from the first one on that is closed.
        ServerSocketChannel.open(StandardProtocolFamily.UNIX).close();
        return new OwnTraces(traces());
    }

    /** What there is now and was not then; threads and processes that are just ending have a moment for it. */
    public List<String> added(Duration patience) throws IOException {
        long deadline = System.nanoTime() + patience.toNanos();
        List<String> added = newOnes();
        while (!added.isEmpty() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            added = newOnes();
        }
        return added;
    }

    private List<String> newOnes() throws IOException {
        List<String> added = new ArrayList<>(traces());
        added.removeAll(before);
        return added;
    }

    private static Set<String> traces() throws IOException {
        Set<String> traces = new HashSet<>();
        Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !thread.isDaemon() || thread.getName().startsWith("rankunit"))
                .forEach(thread -> traces.add("thread " + thread.getId() + " " + thread.getName()));
        List<Path> open;
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            open = files.toList();
        }
        for (Path file : open) {
            // Files of its own class path the JVM opens when it needs them; the folder of this list is closed already.
            String target = Files.exists(file, LinkOption.NOFOLLOW_LINKS)
                    ? Files.readSymbolicLink(file).toString()
                    : "";
            if (target.contains(":")) {
                traces.add("descriptor " + file.getFileName() + " " + target);
            }
        }
        return traces;
    }
}
