package org.rankunit.engine.group;

import java.util.Map;
import java.util.Set;

/** What a rank group is doing. Moves are made by {@link RankGroup#move} alone, which refuses any that is not listed here. */
enum GroupState {
    /** Its devices are leased; no process runs. */
    LEASED,
    /** Its processes are started and have not all said hello. */
    STARTING,
    /** All ranks are there, and bring up their communicator. */
    BOOTSTRAPPING,
    /** The communicator is up; waits for tests. */
    READY,
    /** Runs the tests of one class. */
    RUNNING,
    /** Something failed on it; no further test runs on it. */
    TAINTED,
    /** Its processes are being ended. */
    STOPPING,
    /** Nothing is left of it; its lease is given back. */
    GONE;

    private static final Map<GroupState, Set<GroupState>> NEXT = Map.of(
            LEASED, Set.of(STARTING, GONE),
            STARTING, Set.of(BOOTSTRAPPING, STOPPING),
            BOOTSTRAPPING, Set.of(READY, STOPPING),
            READY, Set.of(RUNNING, STOPPING),
            RUNNING, Set.of(READY, TAINTED),
            TAINTED, Set.of(STOPPING),
            STOPPING, Set.of(GONE));

    boolean mayBecome(GroupState next) {
        return NEXT.getOrDefault(this, Set.of()).contains(next);
    }
}
