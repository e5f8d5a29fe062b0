package org.rankunit;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;

/**
 * How {@link ShakeSchedule} chooses who is held up. At each point of the schedule (a call by the host, a piece of work of
 * a stream, a task, the begin and the operations of a block) the strategy decides by the seed.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public enum ShakeStrategy {

    /** Each point pauses with a probability of one in four, for one of three times. */
    RANDOM,

    /**
     * Streams, tasks, blocks and the host get priorities, which drop at about two points. Those of low priority pause at all
     * of their points, so that others usually overtake them (probabilistic concurrency testing). Finds what only shows when
     * one thread is slow all the time.
     */
    PCT,

    /** A few points pause for long; everything else runs at full speed. */
    DELAY
}
