package org.rankunit.engine.launch;

import org.jspecify.annotations.Nullable;
import org.rankunit.engine.control.FromRank;
import org.rankunit.engine.control.RankOutcome;

/** The first wait in the communicator that took too long in a run, and what all ranks were waiting for then. */
final class LateWait {

    private @Nullable RankLink late;
    private String standstill = "";

    boolean isKnown() {
        return late != null;
    }

    void of(RankLink link) {
        late = link;
    }

    void heldBy(String sentence) {
        standstill = sentence;
    }

    /** How something ended, with what held the ranks if it is that wait which failed there. */
    FromRank.Ended explain(RankLink link, FromRank.Ended ended) {
        return link.equals(late) && ended.outcome() instanceof RankOutcome.Failed failed
                ? new FromRank.Ended(
                        ended.uniqueId(),
                        new RankOutcome.Failed(failed.cause(), standstill, failed.deviceError()),
                        ended.goldens(),
                        ended.endedNanos(),
                        ended.verifyNanos(),
                        ended.leftOut())
                : ended;
    }
}
