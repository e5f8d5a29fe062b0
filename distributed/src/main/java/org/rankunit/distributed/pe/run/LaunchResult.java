package org.rankunit.distributed.pe.run;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.List;
import org.apiguardian.api.API;

/**
 * What a launch took by the model. The same in every run: no queue has two senders, so the order in which processing elements really run
 * makes no difference.
 *
 * @param ends modelled nanoseconds until each processing element had ended, by rank
 * @param messages sent by all of them
 * @param bytes sent by all of them
 * @param waits sends that found all slots in use
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public record LaunchResult(List<Double> ends, long messages, long bytes, long waits) {

    public LaunchResult {
        ends = List.copyOf(ends);
    }

    /** Modelled nanoseconds until the last processing element had ended. */
    public double nanoseconds() {
        return ends.stream().mapToDouble(each -> each).max().orElse(0);
    }
}
