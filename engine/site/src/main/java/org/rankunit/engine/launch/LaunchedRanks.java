package org.rankunit.engine.launch;

import java.time.Duration;
import java.util.List;

/** The processes of one group, as started by one launch. */
public interface LaunchedRanks {

    /** The process of each rank, in the order of the ranks. */
    List<? extends RankProcess> all();

    /**
     * End all ranks and every process that they have started. Blocks until they have ended, for a bounded time. Processes that
     * cannot be ended are logged. Ranks that a person has started are asked and otherwise left alone.
     *
     * @param ask asks the ranks to exit by themselves
     * @param grace how long they may take to exit before they are killed; if it is zero, they are not asked
     */
    void end(Runnable ask, Duration grace);
}
