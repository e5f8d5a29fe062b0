package org.rankunit.engine.launch;

import java.time.Duration;
import java.util.List;

/** The processes of one group, as one launch made them. */
public interface LaunchedRanks {

    /** The process of each rank, in the order of the ranks. */
    List<? extends RankProcess> all();

    /**
     * End all ranks and every process that they have started. Blocks until they have ended, for a bounded time; what could not
     * be ended is logged.
     *
     * @param ask asks the ranks to leave by themselves
     * @param grace how long they may take for that before they are killed; if it is zero they are not asked
     */
    void end(Runnable ask, Duration grace);
}
