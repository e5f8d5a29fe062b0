package org.rankunit.engine.group;

import java.io.IOException;
import java.time.Duration;
import java.util.OptionalInt;
import org.rankunit.engine.link.RankLinks;
import org.rankunit.engine.link.RankSignal;
import org.rankunit.engine.protocol.FromRank;

/**
 * Finds the rank that caused a bring-up to fail. When a rank is killed, its peers may report the failure before its own end is
 * known, and they are not to blame.
 */
final class BringUpCause {

    /** How long after its peers' reports the end of a rank may become known if the machine is overloaded. */
    private static final Duration NEWS_GRACE = Duration.ofSeconds(2);

    private BringUpCause() {}

    /**
     * Follow the blame from the first failure to the signal of the rank that is blamed. Returns {@code first} if no such signal
     * arrives.
     */
    static RankSignal of(RankSignal first, RankLinks links) throws IOException {
        OptionalInt blamed = awaited(first);
        long deadline = newsBy(first);
        while (blamed.isPresent() && blamed.getAsInt() < links.all().size()) {
            RankSignal signal = links.next(deadline);
            if (signal == null) {
                return first;
            } else if (signal.link().rank() == blamed.getAsInt()) {
                if (isEnd(signal) && awaited(signal).isEmpty()) {
                    return signal;
                } else if (isEnd(signal) || signal instanceof RankSignal.HungUp) {
                    blamed = awaited(signal);
                    deadline = Math.max(deadline, newsBy(signal));
                }
            }
        }
        return first;
    }

    /** Until when to wait for a signal of the rank to blame: either its own report, or the end of its process. */
    private static long newsBy(RankSignal signal) {
        Duration grace = signal instanceof RankSignal.HungUp ? RankLinks.EXIT_GRACE.plus(NEWS_GRACE) : NEWS_GRACE;
        return System.nanoTime() + grace.toNanos();
    }

    /** The rank whose signal is still needed to determine the cause; empty if the cause is known. */
    private static OptionalInt awaited(RankSignal signal) {
        return signal instanceof RankSignal.HungUp
                ? OptionalInt.of(signal.link().rank())
                : blamed(signal);
    }

    /** The other rank that a rank blames for its failed bring-up. */
    static OptionalInt blamed(RankSignal signal) {
        return signal instanceof RankSignal.Said said
                        && said.message() instanceof FromRank.BringUpFailed failed
                        && failed.failedRank() >= 0
                        && failed.failedRank() != said.link().rank()
                ? OptionalInt.of(failed.failedRank())
                : OptionalInt.empty();
    }

    private static boolean isEnd(RankSignal signal) {
        return signal instanceof RankSignal.Said said
                ? said.message() instanceof FromRank.BringUpFailed
                : !(signal instanceof RankSignal.HungUp);
    }
}
