package org.rankunit.collective.simulate;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;

/**
 * One level of a machine: what its ranks are connected by as long as they are in one group of this level, and in none of the level
 * below. Groups of the innermost level are servers; there may be racks of servers, and so on.
 *
 * @param name for people: {@code "server"}
 * @param members groups of the level below that one group has; of the innermost level, ranks. 0 at the outermost level: all
 * @param links between ranks that are in one group of this level
 * @param oversubscription of the uplinks of the groups of the level below: such an uplink has the bandwidth of the ports to this level
 *     of all ranks in its group, divided by this. 1 at the innermost level, where there are none
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public record Level(String name, int members, LinkModel links, double oversubscription) {

    public Level {
        if (members < 0 || !(oversubscription >= 1)) {
            throw new IllegalArgumentException("level " + name
                    + ": members are at least 0, and oversubscription is at least 1: " + members + ", "
                    + oversubscription);
        }
    }
}
