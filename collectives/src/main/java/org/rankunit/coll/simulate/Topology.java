package org.rankunit.coll.simulate;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;

/**
 * A machine whose ranks are on servers, as {@link org.rankunit.coll.call.CollectiveCall#ranksPerServer()} says. Signals cost nothing.
 *
 * @param inside links inside a server
 * @param between links between servers
 * @param oversubscription of the uplink of a server: it has the bandwidth of all {@code between} ports of its ranks, divided by this.
 *     It carries that many transfers at a time as it has the bandwidth of ports, rounded down; at least one, if need be slower than a
 *     port
 * @param task seconds that each task costs its stream before it does anything
 * @param copyBandwidth of copies inside a rank, in bytes per second
 * @param reduction seconds for each byte that is reduced: "gamma"
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public record Topology(
        LinkModel inside,
        LinkModel between,
        double oversubscription,
        double task,
        double copyBandwidth,
        double reduction) {

    public Topology {
        if (!(oversubscription >= 1) || !(task >= 0) || !(copyBandwidth > 0) || !(reduction >= 0)) {
            throw new IllegalArgumentException("oversubscription is at least 1, task and reduction at least 0 s, and"
                    + " copyBandwidth above 0 bytes/s: " + oversubscription + ", " + task + ", " + reduction + ", "
                    + copyBandwidth);
        }
    }

    /** Links of one kind everywhere; tasks, copies and reductions cost nothing. */
    public static Topology uniform(LinkModel links) {
        return new Topology(links, links, 1, 0, Double.POSITIVE_INFINITY, 0);
    }

    /** Get the same with a cost of reductions, in seconds per byte. */
    public Topology withReduction(double seconds) {
        return new Topology(inside, between, oversubscription, task, copyBandwidth, seconds);
    }

    /** Get the same with another cost of each task, in seconds. */
    public Topology withTask(double seconds) {
        return new Topology(inside, between, oversubscription, seconds, copyBandwidth, reduction);
    }

    /** Get the same with another uplink. */
    public Topology withOversubscription(double factor) {
        return new Topology(inside, between, factor, task, copyBandwidth, reduction);
    }
}
