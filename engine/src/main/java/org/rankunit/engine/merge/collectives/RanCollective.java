package org.rankunit.engine.merge.collectives;

import org.rankunit.engine.control.FromRank;

/**
 * A collective that a test ran by a schedule.
 *
 * @param tag under which its plan was kept; empty if it was under none
 * @param runs how many runs have begun, on the rank with most
 * @param tasks number of tasks of all ranks in one run
 * @param picture of the first rank that has one, or knows why there is none
 */
public record RanCollective(
        String algorithm, String call, String tag, long runs, long tasks, FromRank.Picture picture) {

    static RanCollective of(FromRank.RanCollective first) {
        return new RanCollective(
                first.algorithm(), first.call(), first.tag(), first.runs(), first.tasks(), first.picture());
    }

    RanCollective with(FromRank.RanCollective other) {
        boolean isDecided = !picture.equals(FromRank.RanCollective.NO_PICTURE);
        return new RanCollective(
                algorithm,
                call,
                tag,
                Math.max(runs, other.runs()),
                tasks + other.tasks(),
                isDecided ? picture : other.picture());
    }
}
