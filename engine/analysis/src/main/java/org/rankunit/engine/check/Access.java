package org.rankunit.engine.check;

import org.rankunit.engine.check.bytes.Pieces;
import org.rankunit.engine.timeline.TestRange.Place;
import org.rankunit.engine.timeline.TestRange.Space;
import org.rankunit.engine.timeline.order.Node;
import org.rankunit.engine.timeline.order.Overlaps;

/**
 * Bytes that were read or written.
 *
 * @param node when it happened
 * @param how READ, WRITE, ATOMIC for signals, waits and additions, which may happen at the same time, or UNMAP
 * @param pieces with offsets in the space
 * @param owner the task or launch that it belongs to; 0 if it belongs to none
 * @param who for people: {@code "rank 1, stream 2"}
 * @param action for people: {@code "a copy"}
 * @param at the line of the program that asked for it: {@code " at RingTest.java:41"}, or nothing
 */
record Access(Node node, How how, Space space, Pieces pieces, long owner, String who, String action, String at)
        implements Overlaps.Range {

    /** One piece. */
    Access(Node node, How how, Place place, long bytes, long owner, String who, String action, String at) {
        this(node, how, place.space(), Pieces.one(place.offset(), bytes), owner, who, action, at);
    }

    /** What an access does. */
    enum How {
        READ("read"),
        WRITE("written"),
        ATOMIC("changed or waited for atomically"),

        /** By an operation of C++ that is atomic. Its order is not looked at. */
        ATOMIC_STORE("changed by an atomic operation"),

        /** By the rank itself, which cannot access them any more; other ranks can. */
        UNMAP("released");

        private final String text;

        How(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }

        /** Whether two accesses that do this race if nothing orders them. */
        boolean mayConflictWith(How other) {
            return this != ATOMIC_STORE && other != ATOMIC_STORE && (this != other || this == WRITE);
        }

        boolean writes() {
            return this == WRITE || this == ATOMIC || this == ATOMIC_STORE;
        }
    }

    /** What was done, for people: {@code "a copy at RingTest.java:41"}. */
    String what() {
        return action + at;
    }

    @Override
    public long offset() {
        return pieces.offset();
    }

    /** From the first byte to the last one; there may be gaps in between. */
    @Override
    public long bytes() {
        return pieces.span();
    }

    /**
     * Whether the order of these two matters. A kernel accesses its arguments as it likes: how its own accesses are ordered
     * is not known.
     */
    boolean conflictsWith(Access other) {
        boolean sameOwner = owner != 0 && owner == other.owner && (isDeclared() || other.isDeclared());
        boolean isOfAnotherRank = (how == How.UNMAP || other.how == How.UNMAP) && node.rank != other.node.rank;
        return !sameOwner && !isOfAnotherRank && how.mayConflictWith(other.how);
    }

    /** Whether only the declaration of a kernel says that it happened, at some moment. */
    boolean isDeclared() {
        return node.event == null;
    }

    /** Whether the host does it, and no stream or kernel. */
    boolean isByHost() {
        return node.event != null && node.event.at().actor() == 0;
    }
}
