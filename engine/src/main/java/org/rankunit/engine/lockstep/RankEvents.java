package org.rankunit.engine.lockstep;

import java.util.Map;
import java.util.Set;
import org.rankunit.engine.protocol.FromRank;
import org.rankunit.engine.protocol.RankOutcome;

/** Receives the events of a test run on a group, in the order in which they happened, on the thread that runs the tests. */
public interface RankEvents {

    /** A rank registered a test or container that was unknown at discovery. */
    void registered(int rank, FromRank.Registered registered);

    /**
     * All ranks are about to run this test.
     *
     * @return true if they should run it, false if they should skip it because it already has a result
     */
    boolean entered(String uniqueId);

    /** A test that was entered runs on this rank: no condition has skipped it there. */
    void started(int rank, String uniqueId);

    /** A test or container ended on one rank. */
    void ended(int rank, FromRank.Ended ended);

    /** A test that will end on one rank was shaken there. */
    void shaken(int rank, FromRank.Shaken shaken);

    /** A test that will end on one rank has had rounds there. */
    void rounds(int rank, FromRank.Rounds rounds);

    /** A test that will end on one rank has run a collective by a schedule there. */
    void ranCollective(int rank, FromRank.RanCollective ran);

    /** A test published report entries on one rank. */
    void reported(int rank, FromRank.Reported reported);

    /** A rank ended or was given up outside of any test: before the first, between two, or after the last. */
    void endedOutsideTests(int rank, RankOutcome outcome);

    /**
     * The communicator of a rank can no longer be used, and no test can be identified as the cause. No rank enters another test.
     */
    void unfit(String why);

    /**
     * Some ranks left this test or container by an assumption or a condition, as their results show, and the others did not. The
     * others are released, and no rank enters another test.
     */
    void parted(String uniqueId);

    /**
     * The ranks are about to run different tests; {@code next} has the test of each rank, with an empty string for none.
     *
     * @return the tests that only some ranks have and that no rank should run; the ranks then continue. Empty if no test can be
     *     identified as the cause; then no rank enters another test
     */
    Set<String> disagreed(Map<Integer, String> next);
}
