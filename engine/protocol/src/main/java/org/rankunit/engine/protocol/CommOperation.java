package org.rankunit.engine.protocol;

import java.util.List;
import java.util.stream.Collectors;

/**
 * One operation of a rank's communicator, or of a domain of it, as recorded by its flight recorder.
 *
 * @param kind such as {@code barrier}
 * @param number counts the operations of this kind on this rank in this domain, from 1
 * @param bytes how much this rank contributed; 0 if the operation moves no data
 * @param peers the ranks that take part in it; empty for all
 * @param domain which of the domains of exactly these ranks in this order, from 1; 0 for the communicator as a whole
 * @param limited whether it has a deadline of its own, at which it ends by itself
 * @param state one of the constants here
 * @param startedNanos {@link System#nanoTime()} of its start
 * @param place the line of the test that started it, {@code AllReduceTest.java:42}; empty if it is not known
 */
public record CommOperation(
        String kind,
        long number,
        long bytes,
        List<Integer> peers,
        int domain,
        boolean limited,
        String state,
        long startedNanos,
        String place) {

    /** A thread of the rank is inside. */
    public static final String ENTERED = "entered";

    public static final String DONE = "done";

    /** Another rank failed during the operation. */
    public static final String RELEASED = "released";

    /** It failed on this rank. */
    public static final String FAILED = "failed";

    private static final String BARRIER = "barrier";

    /** Name it for a message. */
    public String name() {
        if (domain == 0) {
            return kind + " #" + number;
        }
        String ranks = peers.stream().map(String::valueOf).collect(Collectors.joining(", "));
        String named = (domain == 1 ? "the domain" : "domain #" + domain) + " of ranks " + ranks;
        // A domain is allocated and released only once.
        return kind.equals(BARRIER) ? kind + " #" + number + " of " + named : "the " + kind + " of " + named;
    }

    /** Name it together with its place, if that is known. */
    public String nameAndPlace() {
        return place.isEmpty() ? name() : name() + " (" + place + ")";
    }

    /** Whether the rank is still inside, or came out without success. A completed operation does not matter for a hang. */
    public boolean isOpen() {
        return !state.equals(DONE);
    }

    /** Whether a thread of the rank is inside. */
    public boolean isEntered() {
        return state.equals(ENTERED);
    }

    /** Whether the numbers of both belong to the same count: that of operations of one kind in one domain. */
    public boolean isOfSameSeries(CommOperation other) {
        return kind.equals(other.kind) && domain == other.domain && peers.equals(other.peers);
    }
}
