package org.rankunit.engine.rank.failure;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.rankunit.engine.protocol.wire.Limits;
import org.rankunit.golden.GoldenSummary;

/** The golden checks of the running test: the first ones and, of the rest, those that found a difference. Thread-safe. */
public final class GoldenChecks {

    private static final int NAME_CHARS = 256;

    private final List<GoldenSummary> kept = new ArrayList<>();
    private final Set<String> buffers = new HashSet<>();
    private int different;
    private long left;
    private long nanos;

    /** Record a check and the time it took. */
    public synchronized void add(GoldenSummary summary, long tookNanos) {
        nanos += tookNanos;
        boolean differs = summary.verified() && !summary.passed() && different < Limits.GOLDENS;
        if (kept.size() - different >= Limits.GOLDENS && !differs) {
            left++;
            return;
        }
        different += differs ? 1 : 0;
        kept.add(summary.named(Limits.cut(summary.name(), NAME_CHARS)));
    }

    /** Record that a buffer is compared with a golden. */
    public synchronized void addBuffer(String name) {
        buffers.add(name);
    }

    /** Return the names of the buffers that were compared since the last call. */
    public synchronized Set<String> takeBuffers() {
        Set<String> taken = Set.copyOf(buffers);
        buffers.clear();
        return taken;
    }

    /** Return the checks since the last call, and count those that were left out. */
    public synchronized List<GoldenSummary> take(Truncated leftOut) {
        List<GoldenSummary> taken = List.copyOf(kept);
        leftOut.add(left, "golden checks");
        kept.clear();
        different = 0;
        left = 0;
        return taken;
    }

    /** Forget the checks since the last call of {@link #take}, but not what was compared, nor the time: the test begins anew. */
    public synchronized void restart() {
        kept.clear();
        different = 0;
        left = 0;
    }

    /** Return the time spent since the last call. */
    public synchronized long takeNanos() {
        long taken = nanos;
        nanos = 0;
        return taken;
    }
}
