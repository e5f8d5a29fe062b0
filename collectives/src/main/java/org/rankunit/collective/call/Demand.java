package org.rankunit.collective.call;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;

/**
 * What some bytes of an output must hold.
 *
 * @param output bytes of the rank's output
 * @param source the rank whose input it is, or {@link #ALL}
 * @param inputFrom the first byte in the input of that rank, or of every rank
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public record Demand(Slice output, int source, long inputFrom) {

    /** The inputs of all ranks, reduced. */
    public static final int ALL = -1;
}
