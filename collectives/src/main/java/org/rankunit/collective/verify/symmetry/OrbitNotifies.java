package org.rankunit.collective.verify.symmetry;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.rankunit.collective.schedule.RankSchedule;
import org.rankunit.collective.schedule.TaskKind;

/**
 * The notifies for which rank 0 waits. When rank 0 posts one of another rank, then some rank posts one of rank 0 at the same time: that
 * is the one which is set.
 */
final class OrbitNotifies {

    private final Map<Long, State> all = new HashMap<>();
    private final State[] ofTask;

    /** What is known of a notify. */
    static final class State {

        /** What the post knew, as rank 0 knows it when it posts; null while it is not set. */
        @Nullable OrbitClock posted;
        /** The lane and the time of the last wait; time 0 if there was none. */
        int lastLane;

        int lastTime;
        /** The stream that waits for it, or -1. */
        int waiting = -1;
    }

    OrbitNotifies(Shifts shifts, RankSchedule rank) {
        this.ofTask = new State[rank.size()];
        for (int task = 0; task < rank.size(); task++) {
            TaskKind kind = rank.kind(task);
            if (!kind.movesData()) {
                int peer = rank.peer(task);
                int poster = kind == TaskKind.POST && peer >= 0 ? shifts.inverse(peer) : peer;
                long key = (long) poster << Integer.SIZE | rank.code(task);
                ofTask[task] = all.computeIfAbsent(key, each -> new State());
            }
        }
    }

    /** The notify of a task that posts one or waits for one. */
    State of(int task) {
        return ofTask[task];
    }

    /** Whether one is set. */
    boolean isAnySet() {
        return all.values().stream().anyMatch(each -> each.posted != null);
    }
}
