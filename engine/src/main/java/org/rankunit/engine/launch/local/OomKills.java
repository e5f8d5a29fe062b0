package org.rankunit.engine.launch.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the kernel tells of processes that it has killed for want of memory: how many, of the whole machine, to any user. */
final class OomKills {

    private static final Path COUNTERS = Path.of("/proc/vmstat");
    private static final String COUNTER = "oom_kill ";
    private static final long UNKNOWN = -1;

    private final long before = soFar();

    /** Say what a SIGKILL may be about that came after this was made; empty where it was not about memory. */
    String explain() {
        if (before == UNKNOWN) {
            return "; that is often the kernel's doing, for want of memory: dmesg tells";
        }
        long killed = soFar() - before;
        return killed <= 0
                ? ""
                : "; the kernel has killed " + (killed == 1 ? "a process" : killed + " processes")
                        + " for want of memory meanwhile, so probably this one: dmesg tells. Give the machine or its"
                        + " container more, or the ranks less (rankunit.jvm-args, rankunit.max-parallel)";
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
