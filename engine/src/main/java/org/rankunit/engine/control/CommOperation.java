package org.rankunit.engine.control;

import java.util.List;

/**
 * One operation of a rank's communicator, as its flight recorder has it.
 *
 * @param kind such as {@code barrier}
 * @param number counts the operations of this kind on this rank, from 1
 * @param bytes how much this rank gave to it; 0 for one that moves nothing
 * @param peers the ranks it is done with; empty for all
 * @param state one of the constants here
 * @param startedNanos {@link System#nanoTime()} of its start
 * @param place the line of the test that started it, {@code AllReduceTest.java:42}; empty if it is not known
 */
public record CommOperation(
        String kind, long number, long bytes, List<Integer> peers, String state, long startedNanos, String place) {

    /** A thread of the rank is inside. */
    public static final String ENTERED = "entered";

    public static final String DONE = "done";

    /** Another rank failed meanwhile. */
    public static final String RELEASED = "released";

    /** It failed on this rank. */
    public static final String FAILED = "failed";

    /** Name it for a message. */
    public String name() {
        return kind + " #" + number;
    }

    /** Name it together with its place, where that is known. */
    public String nameAndPlace() {
        return place.isEmpty() ? name() : name() + " (" + place + ")";
    }

    /** Whether the rank came to its end there or is still inside: what it did last does not matter if it is done. */
    public boolean isOpen() {
        return !state.equals(DONE);
    }
}
