package org.rankunit.engine.lockstep;

import java.util.Map;
import java.util.Set;
import org.rankunit.engine.control.FromRank;
import org.rankunit.engine.control.RankOutcome;

/** What a run of tests on a group tells, on the thread that runs it, in the order in which it happened. */
public interface RankEvents {

    /** A rank registered a test or container that discovery could not know. */
    void registered(int rank, FromRank.Registered registered);

    /**
     * All ranks are about to run this test.
     *
     * @return true if they are to run it, false if they are to pass it by, because it has its result already
     */
    boolean entered(String uniqueId);

    /** A test that was entered runs on this rank: no condition skipped it there. */
    void started(int rank, String uniqueId);

    /** A test or container ended on one rank. */
    void ended(int rank, FromRank.Ended ended);

    /** A test published report entries on one rank. */
    void reported(int rank, FromRank.Reported reported);

    /** A rank ended, or was given up, outside of any test: before the first, between two, or after the last. */
    void endedOutsideTests(int rank, RankOutcome outcome);

    /** A rank has a communicator of no more use, for a reason that is no test's for sure; nobody enters a further test. */
    void unfit(String why);

    /**
     * Some ranks left this test or container by an assumption or a condition, as their ends of it say, and the others did
     * not: these are released, and nobody enters a further test.
     */
    void parted(String uniqueId);

    /**
     * The ranks are about to run different tests; {@code next} says which, with an empty text for none.
     *
     * @return those that only some ranks have, which nobody is to run: the ranks go on. Empty if no test can be told to be at fault;
     *     then nobody enters a further test
     */
    Set<String> disagreed(Map<Integer, String> next);
}
