package org.rankunit.collective.simulate;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;

/**
 * How much one kind of ports was used.
 *
 * @param level of ports, that of the groups that they connect; of uplinks and downlinks, that of the group that has them. The innermost
 *     level, of servers, is 0
 * @param group of ports, the server of their ranks; of uplinks and downlinks, the group that has them; from 0
 * @param bytes that all of them have carried
 * @param busy the share of the time for which they were occupied, in [0, 1]; the mean of all of them
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public record PortUse(int level, int group, PortKind kind, long bytes, double busy) {}
