package org.rankunit.golden;

import static org.apiguardian.api.API.Status.INTERNAL;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.rankunit.RankBuffer;

/**
 * Pass the summary of every comparison to the engine, whether it passed or failed.
 *
 * <p>There is one sink for the whole JVM. Threads may compare while another thread installs or resets the sink; a
 * comparison that runs at that moment goes to either the old or the new sink.
 *
 * @since 0.1
 */
@API(status = INTERNAL, since = "0.1")
public final class GoldenLog {

    private static volatile @Nullable Sink sink;

    private GoldenLog() {}

    /**
     * Send every summary from now on to this sink, which replaces the previous one.
     *
     * @param newSink called by the comparing thread, before a mismatch is thrown; several threads may call it at once;
     *     it must not throw, because that would hide the mismatch
     */
    public static void install(Sink newSink) {
        sink = newSink;
    }

    /** Remove the sink; summaries from now on are discarded. */
    public static void reset() {
        sink = null;
    }

    static void record(GoldenSummary summary, long startNanos) {
        Sink current = sink;
        if (current != null) {
            current.verified(summary, System.nanoTime() - startNanos);
        }
    }

    /** Record that the content of a buffer is written in place of its golden. */
    public static void updates(RankBuffer buffer) {
        record(GoldenSummary.updated(buffer.name(), buffer.type(), buffer.count()), System.nanoTime());
    }

    static boolean skips() {
        Sink current = sink;
        return current != null && current.skips();
    }

    static void verifies(RankBuffer buffer) {
        Sink current = sink;
        if (current != null) {
            current.verifies(buffer);
        }
    }

    /** Receives the summaries of comparisons. */
    public interface Sink {

        /**
         * Receive one summary.
         *
         * @param nanos how long the comparison took, in nanoseconds
         */
        void verified(GoldenSummary summary, long nanos);

        /** Tell whether goldens compare nothing: each then passes, with a summary that says that it is not verified. */
        default boolean skips() {
            return false;
        }

        /** A buffer is about to be compared with a golden. */
        default void verifies(RankBuffer buffer) {}
    }
}
