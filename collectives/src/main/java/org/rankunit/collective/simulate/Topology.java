package org.rankunit.collective.simulate;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;

/**
 * A machine whose ranks are on servers, as {@link org.rankunit.collective.call.CollectiveCall#servers()} says, and these in groups of
 * further levels. Signals cost nothing.
 *
 * <p>A transfer takes a port of the sender and one of the receiver to the level at which both are in one group, and a share of the
 * uplinks and downlinks of all groups that it leaves and enters. An uplink or a downlink carries that many transfers at a time as it has
 * the bandwidth of ports, rounded down; at least one, if need be slower than a port.
 *
 * @param levels the innermost one first
 * @param task seconds that each task costs its stream before it does anything
 * @param copyBandwidth of copies inside a rank, in bytes per second
 * @param reduction seconds for each byte that is reduced: "gamma"
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public record Topology(List<Level> levels, double task, double copyBandwidth, double reduction) {

    public Topology {
        levels = List.copyOf(levels);
        if (!(task >= 0) || !(copyBandwidth > 0) || !(reduction >= 0)) {
            throw new IllegalArgumentException(
                    "task and reduction are at least 0 s, and copyBandwidth above 0 bytes/s: " + task + ", " + reduction
                            + ", " + copyBandwidth);
        }
        if (levels.isEmpty()) {
            throw new IllegalArgumentException("a machine has at least one level");
        }
        for (int level = 1; level < levels.size() - 1; level++) {
            if (levels.get(level).members() == 0) {
                throw new IllegalArgumentException(
                        "level " + levels.get(level).name() + ": only the outermost level has all members");
            }
        }
    }

    /**
     * Make a machine of servers.
     *
     * @param inside links inside a server
     * @param between links between servers
     * @param oversubscription of the uplink of a server
     */
    public Topology(
            LinkModel inside,
            LinkModel between,
            double oversubscription,
            double task,
            double copyBandwidth,
            double reduction) {
        this(
                List.of(new Level("server", 0, inside, 1), new Level("all", 0, between, oversubscription)),
                task,
                copyBandwidth,
                reduction);
    }

    /** Links of one kind everywhere; tasks, copies and reductions cost nothing. */
    public static Topology uniform(LinkModel links) {
        return new Topology(links, links, 1, 0, Double.POSITIVE_INFINITY, 0);
    }

    /** Links inside a server. */
    public LinkModel inside() {
        return levels.get(0).links();
    }

    /** Links between servers that are next to each other; those inside a server if there is one level. */
    public LinkModel between() {
        return levels.get(Math.min(1, levels.size() - 1)).links();
    }

    /** Get the same with a cost of reductions, in seconds per byte. */
    public Topology withReduction(double seconds) {
        return new Topology(levels, task, copyBandwidth, seconds);
    }

    /** Get the same with another cost of each task, in seconds. */
    public Topology withTask(double seconds) {
        return new Topology(levels, seconds, copyBandwidth, reduction);
    }

    /** Get the same with other uplinks of servers. */
    public Topology withOversubscription(double factor) {
        List<Level> changed = new ArrayList<>(levels);
        Level second = levels.get(1);
        changed.set(1, new Level(second.name(), second.members(), second.links(), factor));
        return new Topology(changed, task, copyBandwidth, reduction);
    }
}
