package org.rankunit.engine.merge;

import java.util.Map;
import java.util.Set;

/** What JUnit knows of a {@link TestNode}. Moves are made by {@link TestNode} alone, which refuses any that is not listed here. */
enum NodeState {
    /** That it exists. */
    REGISTERED,
    /** That it was skipped, without a start. */
    SKIPPED,
    /** That it started. */
    STARTED,
    /** Its result, which is not a failure. */
    DONE,
    /** Its result, a failure. */
    FAILED;

    private static final Map<NodeState, Set<NodeState>> NEXT =
            Map.of(REGISTERED, Set.of(SKIPPED, STARTED), STARTED, Set.of(DONE, FAILED));

    boolean mayBecome(NodeState next) {
        return NEXT.getOrDefault(this, Set.of()).contains(next);
    }

    boolean hasResult() {
        return this == SKIPPED || this == DONE || this == FAILED;
    }
}
