package org.rankunit.collective.algorithms.links;

import static org.apiguardian.api.API.Status.INTERNAL;

import org.apiguardian.api.API;

/** Who exchanges halves with whom in a {@link Block}. */
@API(status = INTERNAL, since = "0.1")
public interface Partners {

    /** Get the partner of a place in a step, whose partner in the same step is this place. */
    int of(int place, int step);

    /**
     * Get which of the parts a place ends with. After each step, the parts that a place has left are neighbours: the half, the quarter
     * and so on in which this one is.
     */
    int part(int place);
}
