package org.rankunit.engine.group;

import java.io.IOException;
import java.time.Duration;
import java.util.OptionalInt;
import org.rankunit.engine.control.FromRank;
import org.rankunit.engine.link.RankLinks;
import org.rankunit.engine.link.RankSignal;

/**
 * Finds the rank because of which a bring-up fails: the peers of one that is killed may tell of it before its own end is heard, and
 * are not to blame.
 */
final class BringUpCause {

    /** How long after its peers' words the end of a rank may become known, where the machine has more to do than it can. */
    private static final Duration NEWS_GRACE = Duration.ofSeconds(2);

    private BringUpCause() {}

    /**
     * Follow the blame from the first thing that went wrong to what is heard of the rank that is blamed. Returns {@code first} if
     * that rank is not heard of.
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

    /** Until when news of the rank is awaited that is to blame: it says itself, or else the end of its process does. */
    private static long newsBy(RankSignal signal) {
        Duration grace = signal instanceof RankSignal.HungUp ? RankLinks.EXIT_GRACE.plus(NEWS_GRACE) : NEWS_GRACE;
        return System.nanoTime() + grace.toNanos();
    }

    /** The rank of which something is still to be heard before it is known what went wrong; empty if it is known. */
    private static OptionalInt awaited(RankSignal signal) {
        return signal instanceof RankSignal.HungUp
                ? OptionalInt.of(signal.link().rank())
                : blamed(signal);
    }

    /** The other rank that is blamed by one whose bring-up has failed. */
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
