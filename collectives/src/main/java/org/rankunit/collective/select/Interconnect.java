package org.rankunit.collective.select;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;

/**
 * How the devices of a server are connected.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public enum Interconnect {
    /** Each with each. */
    MESH,
    /** Each with the next one. */
    RING
}
