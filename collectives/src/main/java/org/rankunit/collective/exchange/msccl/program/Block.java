package org.rankunit.collective.exchange.msccl.program;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.List;
import org.apiguardian.api.API;

/**
 * A threadblock with steps other than those that only wait.
 *
 * @param send the rank that it sends to, or -1
 * @param recv the rank that it receives from, or -1
 */
@API(status = INTERNAL, since = "0.1")
public record Block(int send, int recv, int channel, List<Step> steps) {

    public Block {
        steps = List.copyOf(steps);
    }
}
