package org.rankunit.engine.merge;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.rankunit.engine.lockstep.RankEvents;
import org.rankunit.engine.protocol.FromRank;
import org.rankunit.engine.protocol.RankOutcome;

/** Passes events on, and notes in which order the ranks ended. */
record Ordered(RankEvents events, List<String> order) implements RankEvents {

    @Override
    public void registered(int rank, FromRank.Registered registered) {
        events.registered(rank, registered);
    }

    @Override
    public boolean entered(String uniqueId) {
        return events.entered(uniqueId);
    }

    @Override
    public void started(int rank, String uniqueId) {
        events.started(rank, uniqueId);
    }

    @Override
    public void ended(int rank, FromRank.Ended ended) {
        order.add(rank + " " + ended.outcome().getClass().getSimpleName());
        events.ended(rank, ended);
    }

    @Override
    public void shaken(int rank, FromRank.Shaken shaken) {
        events.shaken(rank, shaken);
    }

    @Override
    public void rounds(int rank, FromRank.Rounds rounds) {
        events.rounds(rank, rounds);
    }

    @Override
    public void ranCollective(int rank, FromRank.RanCollective ran) {
        events.ranCollective(rank, ran);
    }

    @Override
    public void reported(int rank, FromRank.Reported reported) {
        events.reported(rank, reported);
    }

    @Override
    public void endedOutsideTests(int rank, RankOutcome outcome) {
        events.endedOutsideTests(rank, outcome);
    }

    @Override
    public void unfit(String why) {
        events.unfit(why);
    }

    @Override
    public void parted(String uniqueId) {
        events.parted(uniqueId);
    }

    @Override
    public Set<String> disagreed(Map<Integer, String> next) {
        return events.disagreed(next);
    }
}
