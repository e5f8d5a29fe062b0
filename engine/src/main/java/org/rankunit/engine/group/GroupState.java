package org.rankunit.engine.group;

import java.util.Map;
import java.util.Set;

/**
 * What a rank group is doing. Only {@link RankGroup#move} changes the state, and it refuses any transition that is not listed here.
 */
enum GroupState {
    /** Its devices are leased; no process is running. */
    LEASED,
    /** Its processes are started, but not all of them have said hello. */
    STARTING,
    /** All ranks have said hello and are bringing up their device and communicator. */
    BOOTSTRAPPING,
    /** All ranks are up; the group waits for tests. */
    READY,
    /** The group is running the tests of one class. */
    RUNNING,
    /** Something failed in it; it runs no further tests. */
    TAINTED,
    /** Its processes are being ended. */
    STOPPING,
    /** Nothing is left of it, and its lease has been returned. */
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
