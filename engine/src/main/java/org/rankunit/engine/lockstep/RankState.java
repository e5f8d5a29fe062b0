package org.rankunit.engine.lockstep;

import java.util.Map;
import java.util.Set;

/**
 * Where one rank is in a run of tests. Only {@link RankProgress#move} changes the state, and it refuses any transition that is not
 * listed here.
 */
enum RankState {
    /** Jupiter discovers the tests there. */
    STARTING,
    /** The rank runs something: a test that it has entered, or a lifecycle method around the tests. */
    RUNNING,
    /** The rank has asked to enter a test and waits for the answer. */
    WAITING,
    /** The rank's channel has ended; how its process ended is not known yet. */
    HUNG_UP,
    /** The rank has finished its tests, has died, or was given up. Nothing more is expected of it. */
    FINISHED;

    private static final Map<RankState, Set<RankState>> NEXT = Map.of(
            STARTING, Set.of(RUNNING, WAITING, HUNG_UP, FINISHED),
            RUNNING, Set.of(WAITING, HUNG_UP, FINISHED),
            WAITING, Set.of(RUNNING, HUNG_UP, FINISHED),
            HUNG_UP, Set.of(FINISHED));

    boolean mayBecome(RankState next) {
        return NEXT.getOrDefault(this, Set.of()).contains(next);
    }
}
