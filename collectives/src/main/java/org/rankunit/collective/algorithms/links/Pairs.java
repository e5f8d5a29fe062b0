package org.rankunit.collective.algorithms.links;

import static org.apiguardian.api.API.Status.INTERNAL;

import org.apiguardian.api.API;
import org.rankunit.collective.Link;
import org.rankunit.collective.Region;
import org.rankunit.collective.TaskStream;

/** Exchanges between two ranks. */
@API(status = INTERNAL, since = "0.1")
public final class Pairs {

    private Pairs() {}

    /** Let the other end read, and wait until it has. */
    public static void offer(TaskStream stream, Link link) {
        stream.txAck(link);
        stream.rxDataSignal(link);
    }

    /** Read what the other end offers. */
    public static void fetch(TaskStream stream, Link link, Region from, Region to) {
        stream.rxAck(link);
        stream.get(link, from, to);
        stream.txDataSignal(link);
    }

    /** Reduce what the other end offers into memory of this rank. */
    public static void fetchReduced(TaskStream stream, Link link, Region from, Region to) {
        stream.rxAck(link);
        stream.getReduce(link, from, to);
        stream.txDataSignal(link);
    }
}
