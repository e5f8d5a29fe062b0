package org.rankunit.engine.launch.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The kernel's count of processes that it has killed for lack of memory. It covers the whole machine, and every user can read it.
 */
final class OomKills {

    private static final Path COUNTERS = Path.of("/proc/vmstat");
    private static final String COUNTER = "oom_kill ";
    private static final long UNKNOWN = -1;

    private final long before = soFar();

    /** Explain what may have caused a SIGKILL that came after this object was made; empty if the cause was not a lack of memory. */
    String explain() {
        if (before == UNKNOWN) {
            return "; the kernel often does this when memory runs out: see dmesg";
        }
        long killed = soFar() - before;
        return killed <= 0
                ? ""
                : "; the kernel has killed " + (killed == 1 ? "a process" : killed + " processes")
                        + " because memory ran out meanwhile, probably this one: see dmesg. Give the machine or its"
                        + " container more memory, or the ranks less (rankunit.jvm-args, rankunit.max-parallel)";
    }

    private static long soFar() {
        try {
            return Files.readAllLines(COUNTERS).stream()
                    .filter(line -> line.startsWith(COUNTER))
                    .map(line -> Long.parseLong(line.substring(COUNTER.length())))
                    .findFirst()
                    .orElse(UNKNOWN);
        } catch (IOException | NumberFormatException e) {
            return UNKNOWN;
        }
    }
}
