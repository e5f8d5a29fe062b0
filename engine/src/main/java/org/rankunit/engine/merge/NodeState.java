package org.rankunit.engine.merge;

import java.util.Map;
import java.util.Set;

/** What JUnit knows about a {@link TestNode}. Only {@link TestNode} changes the state, and it refuses changes not listed here. */
enum NodeState {
    /** JUnit knows that it exists. */
    REGISTERED,
    /** It was skipped, without a start. */
    SKIPPED,
    /** It has started. */
    STARTED,
    /** It has a result that is not a failure. */
    DONE,
    /** It has failed. */
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
