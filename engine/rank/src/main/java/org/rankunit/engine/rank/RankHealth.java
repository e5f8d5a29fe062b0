package org.rankunit.engine.rank;

import java.util.Map;
import java.util.Set;

/** Whether something has gone wrong on a rank. Only {@link RankSession#move} changes the state. */
enum RankHealth {
    /** Nothing has failed here, and the last thing entered was not left early. */
    SOUND,
    /**
     * The rank left something by an assumption or a condition and has entered nothing since. The others may be released because of
     * it.
     */
    GAVE_UP,
    /** Something failed here. The rank enters no further test. */
    FAILED;

    private static final Map<RankHealth, Set<RankHealth>> NEXT =
            Map.of(SOUND, Set.of(GAVE_UP, FAILED), GAVE_UP, Set.of(SOUND, FAILED));

    boolean mayBecome(RankHealth next) {
        return NEXT.getOrDefault(this, Set.of()).contains(next);
    }
}
