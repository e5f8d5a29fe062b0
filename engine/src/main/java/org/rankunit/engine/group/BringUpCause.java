package org.rankunit.engine.group;

import java.io.IOException;
import java.time.Duration;
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
        long deadline = System.nanoTime() + NEWS_GRACE.toNanos();
        int blamed = blamed(first);
        while (blamed >= 0 && blamed < links.all().size()) {
            RankSignal signal = links.next(deadline);
            if (signal == null) {
                return first;
            } else if (signal.link().rank() == blamed && isEnd(signal)) {
                if (blamed(signal) < 0) {
                    return signal;
                }
                blamed = blamed(signal);
            }
        }
        return first;
    }

    /** The other rank that is blamed by one whose bring-up has failed, or -1. */
    static int blamed(RankSignal signal) {
        return signal instanceof RankSignal.Said said
                        && said.message() instanceof FromRank.BringUpFailed failed
                        && failed.failedRank() != said.link().rank()
                ? failed.failedRank()
                : -1;
    }

    private static boolean isEnd(RankSignal signal) {
        return !(signal instanceof RankSignal.Said said) || said.message() instanceof FromRank.BringUpFailed;
    }
}
