package org.rankunit.distributed.device;

import static org.apiguardian.api.API.Status.INTERNAL;

import org.apiguardian.api.API;
import org.rankunit.collective.call.CollectiveCall;

/** How the devices of a group make collectives. */
@API(status = INTERNAL, since = "0.1")
public interface DeviceCollectives extends AutoCloseable {

    /**
     * Make a call; returns when this rank's output is complete.
     *
     * @param call of the members
     * @param input device address of this rank's input; of a broadcast, also where the output is
     * @param output device address of this rank's output
     */
    void run(CollectiveCall call, long input, long output);

    @Override
    void close();
}
