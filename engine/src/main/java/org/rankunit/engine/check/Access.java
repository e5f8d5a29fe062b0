package org.rankunit.engine.check;

import org.rankunit.engine.timeline.TestRange.Place;
import org.rankunit.engine.timeline.order.Node;
import org.rankunit.engine.timeline.order.Overlaps;

/**
 * Bytes that somebody read or wrote.
 *
 * @param node when it happened
 * @param how READ, WRITE, ATOMIC for signals, waits and additions, which may happen at the same time, or UNMAP
 * @param owner the task or launch that it belongs to; 0 if it belongs to none
 * @param who for people: {@code "rank 1, stream 2"}
 * @param what for people: {@code "a copy at RingTest.java:41"}
 */
record Access(Node node, How how, Place place, long bytes, long owner, String who, String what)
        implements Overlaps.Range {

    /** What an access does. */
    enum How {
        READ("read"),
        WRITE("written"),
        ATOMIC("changed or waited for atomically"),

        /** By the rank itself, which cannot access them any more; other ranks can. */
        UNMAP("released");

        private final String text;

        How(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }
    }

    @Override
    public long offset() {
        return place.offset();
    }

    /**
     * Whether the order of these two matters. A kernel accesses its arguments as it likes: how its own accesses are ordered
     * is not known.
     */
    boolean conflictsWith(Access other) {
        boolean sameOwner = owner != 0 && owner == other.owner && (isDeclared() || other.isDeclared());
        boolean isOfAnotherRank = (how == How.UNMAP || other.how == How.UNMAP) && node.rank != other.node.rank;
        return !sameOwner && !isOfAnotherRank && (how != other.how || how == How.WRITE);
    }

    /** Whether only the declaration of a kernel says that it happened, at some moment. */
    private boolean isDeclared() {
        return node.event == null;
    }

    /** Whether the host does it, and no stream or kernel. */
    boolean isByHost() {
        return node.event != null && node.event.at().actor() == 0;
    }
}
