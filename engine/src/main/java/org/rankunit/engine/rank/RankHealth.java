package org.rankunit.engine.rank;

import java.util.Map;
import java.util.Set;

/** Whether something has gone wrong on a rank. {@link RankSession#move} makes the moves. */
enum RankHealth {
    /** Nothing has failed here, and nothing that was entered last was left early. */
    SOUND,
    /** It left something by an assumption or a condition, and has entered nothing since: the others may be released for it. */
    GAVE_UP,
    /** Something failed here. Nothing is entered any more. */
    FAILED;

    private static final Map<RankHealth, Set<RankHealth>> NEXT =
            Map.of(SOUND, Set.of(GAVE_UP, FAILED), GAVE_UP, Set.of(SOUND, FAILED));

    boolean mayBecome(RankHealth next) {
        return NEXT.getOrDefault(this, Set.of()).contains(next);
    }
}
