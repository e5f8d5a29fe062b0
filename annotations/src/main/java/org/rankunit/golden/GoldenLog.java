package org.rankunit.golden;

import static org.apiguardian.api.API.Status.INTERNAL;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Hand the summary of every comparison to the engine, whether it passed or failed.
 *
 * <p>There is one sink for the whole JVM. Threads may compare while another installs or resets it; a comparison that
 * runs at that moment goes to the former or to the latter.
 *
 * @since 0.1
 */
@API(status = INTERNAL, since = "0.1")
public final class GoldenLog {

    private static volatile @Nullable Sink sink;

    private GoldenLog() {}

    /**
     * Give every summary from now on to this sink, instead of the former one.
     *
     * @param newSink called by the comparing thread, before a mismatch is thrown; several threads may call it at once,
     *     and it must not throw, which would hide the mismatch
     */
    public static void install(Sink newSink) {
        sink = newSink;
    }

    /** Give summaries to nobody from now on. */
    public static void reset() {
        sink = null;
    }

    static void record(GoldenSummary summary, long startNanos) {
        Sink current = sink;
        if (current != null) {
            current.verified(summary, System.nanoTime() - startNanos);
        }
    }

    /** Takes what comparisons found. */
    public interface Sink {

        /**
         * Take one summary.
         *
         * @param nanos how long the comparison took, in nanoseconds
         */
        void verified(GoldenSummary summary, long nanos);
    }
}
