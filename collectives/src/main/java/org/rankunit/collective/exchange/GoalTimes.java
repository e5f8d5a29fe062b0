package org.rankunit.collective.exchange;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.List;
import org.apiguardian.api.API;

/**
 * How long a {@link GoalProgram} takes on a modelled machine.
 *
 * @param seconds until the last operation has ended
 * @param ends seconds until the last operation of each rank has ended
 * @param messages that took time
 * @param bytes of these messages
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public record GoalTimes(double seconds, List<Double> ends, long messages, long bytes) {

    public GoalTimes {
        ends = List.copyOf(ends);
    }
}
