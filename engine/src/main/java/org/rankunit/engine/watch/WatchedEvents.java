package org.rankunit.engine.watch;

import java.util.Map;
import java.util.Set;
import org.rankunit.engine.lockstep.RankEvents;
import org.rankunit.engine.protocol.FromRank;
import org.rankunit.engine.protocol.RankOutcome;

/** Tells a watch of events, and passes all of them on. */
record WatchedEvents(WatchedGroup watch, RankEvents receiver) implements RankEvents {

    @Override
    public void registered(int rank, FromRank.Registered registered) {
        receiver.registered(rank, registered);
    }

    @Override
    public boolean entered(String uniqueId) {
        boolean runs = receiver.entered(uniqueId);
        if (runs) {
            watch.entered(uniqueId);
        }
        return runs;
    }

    @Override
    public void started(int rank, String uniqueId) {
        receiver.started(rank, uniqueId);
    }

    @Override
    public void ended(int rank, FromRank.Ended ended) {
        watch.ended(rank, ended.uniqueId());
        receiver.ended(rank, ended);
    }

    @Override
    public void shaken(int rank, FromRank.Shaken shaken) {
        receiver.shaken(rank, shaken);
    }

    @Override
    public void rounds(int rank, FromRank.Rounds rounds) {
        receiver.rounds(rank, rounds);
    }

    @Override
    public void ranCollective(int rank, FromRank.RanCollective ran) {
        receiver.ranCollective(rank, ran);
    }

    @Override
    public void reported(int rank, FromRank.Reported reported) {
        receiver.reported(rank, reported);
    }

    @Override
    public void endedOutsideTests(int rank, RankOutcome outcome) {
        receiver.endedOutsideTests(rank, outcome);
    }

    @Override
    public void unfit(String why) {
        receiver.unfit(why);
    }

    @Override
    public void parted(String uniqueId) {
        receiver.parted(uniqueId);
    }

    @Override
    public Set<String> disagreed(Map<Integer, String> next) {
        return receiver.disagreed(next);
    }
}
