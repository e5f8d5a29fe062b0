package org.rankunit.device;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.List;
import org.apiguardian.api.API;

/**
 * What the devices of this process do.
 *
 * @param changes how often that has changed so far; two answers that say {@link State#WAITS} or {@link State#HOST_WAITS} with the
 *     same number prove that nothing happened between them
 * @param waits what waits for what, for people
 * @since 0.1
 */
@API(status = INTERNAL, since = "0.1")
public record DeviceActivity(State state, long changes, List<String> waits) {

    /** Whether something happens; the order is that of {@code DeviceActivity} in {@code stream.h}. */
    public enum State {
        IDLE,
        /** Something goes on by itself, or may. */
        WORKS,
        /** All that is left on the devices waits for something that only others can do. */
        WAITS,
        /** As before, and so does a thread of the host, in a call for a device. */
        HOST_WAITS
    }

    public DeviceActivity {
        waits = List.copyOf(waits);
    }
}
