package org.rankunit.engine.check;

import org.rankunit.engine.timeline.TestRange.Place;
import org.rankunit.engine.timeline.order.Node;
import org.rankunit.engine.timeline.order.Overlaps;

/**
 * Bytes that somebody read or wrote.
 *
 * @param node when it happened
 * @param how READ, WRITE, or ATOMIC for signals, waits and additions, which may happen at the same time
 * @param task the task that it belongs to: its rank and actor; 0 if it belongs to none
 * @param who for people: {@code "rank 1, stream 2"}
 * @param what for people: {@code "a copy"}
 */
record Access(Node node, How how, Place place, long bytes, long task, String who, String what)
        implements Overlaps.Range {

    /** What an access does. */
    enum How {
        READ("read"),
        WRITE("written"),
        ATOMIC("changed or waited for atomically");

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
     * Whether the order of these two matters. A task accesses its arguments as it likes: how its own accesses are ordered
     * is not known.
     */
    boolean conflictsWith(Access other) {
        boolean sameTask = task != 0 && task == other.task && (node.isAccessAlone() || other.node.isAccessAlone());
        return !sameTask && (how != other.how || how == How.WRITE);
    }
}
