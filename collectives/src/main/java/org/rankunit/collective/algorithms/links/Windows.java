package org.rankunit.collective.algorithms.links;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.MemoryMode;

/** What most algorithms need: buffers of the caller that others can reach. */
@API(status = INTERNAL, since = "0.1")
public final class Windows {

    private Windows() {}

    /** Say why an algorithm that accesses inputs and outputs of others cannot make the call. */
    public static Optional<String> needed(CollectiveCall call) {
        return call.memory() == MemoryMode.WINDOWS ? Optional.empty() : Optional.of("needs buffers in windows");
    }
}
