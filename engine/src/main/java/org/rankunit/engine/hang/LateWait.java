package org.rankunit.engine.hang;

import org.jspecify.annotations.Nullable;
import org.rankunit.engine.link.RankLink;
import org.rankunit.engine.protocol.FromRank;
import org.rankunit.engine.protocol.RankOutcome;

/** The first wait in the communicator that timed out in a run, and what all ranks were waiting for at that time. */
public final class LateWait {

    private @Nullable RankLink late;
    private Standstill standstill = Standstill.UNKNOWN;

    public boolean isKnown() {
        return late != null;
    }

    public void of(RankLink link) {
        late = link;
    }

    public void heldBy(Standstill ofRanks) {
        standstill = ofRanks;
    }

    /** How something ended. If it is this wait that failed there, the result includes what held the ranks. */
    public FromRank.Ended explain(RankLink link, FromRank.Ended ended) {
        return link.equals(late) && ended.outcome() instanceof RankOutcome.Failed failed
                ? ended.as(new RankOutcome.Failed(
                        failed.cause(),
                        standstill.sentence(),
                        failed.deviceError(),
                        failed.phase(),
                        standstill.waits()))
                : ended;
    }
}
