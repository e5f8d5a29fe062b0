package org.rankunit.engine.check;

import org.rankunit.engine.timeline.TestRange.Place;

/**
 * Bytes that somebody read or wrote.
 *
 * @param node when it happened
 * @param how READ, WRITE, or ATOMIC for signals, waits and additions, which may happen at the same time
 * @param who for people: {@code "rank 1, stream 2"}
 * @param what for people: {@code "a copy"}
 */
record Access(Node node, How how, Place place, long bytes, String who, String what) implements Overlaps.Range {

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

    /** Whether the order of these two matters. */
    boolean conflictsWith(Access other) {
        return how != other.how || how == How.WRITE;
    }
}
