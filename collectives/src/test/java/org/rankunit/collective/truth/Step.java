package org.rankunit.collective.truth;

/**
 * One thing that a stream does.
 *
 * @param number of the step in its program
 * @param wire on which it arrives; -1 if it is done when its stream goes on
 * @param flag the notify that is posted or awaited; -1 if there is none
 * @param from the first element that is read
 * @param to the first element that is written
 * @param count elements
 * @param reduces whether it reads what it writes
 * @param atOnce whether it reduces each element at once
 * @param text for people
 */
record Step(
        int number,
        int rank,
        int stream,
        Kind kind,
        int wire,
        int flag,
        int from,
        int to,
        int count,
        boolean reduces,
        boolean atOnce,
        String text) {

    enum Kind {
        /** The caller between two calls. */
        CALLER,
        MOVE,
        /** The beginning of a write over a wire. */
        SEND,
        POST,
        WAIT
    }

    /** A write over a wire, as far as its stream is concerned. */
    Step sent() {
        return new Step(number, rank, stream, Kind.SEND, wire, flag, 0, 0, 0, false, false, text);
    }

    /** Whether both write some element. */
    boolean writes(Step other) {
        return overlap(to, count, other.to, other.count);
    }

    /** Whether this one changes what the other uses. */
    boolean disturbs(Step other) {
        boolean changesRead = other.kind == Kind.MOVE && overlap(to, count, other.from, other.count);
        return changesRead || (writes(other) && !(atOnce && other.atOnce));
    }

    static boolean overlap(int one, int countOfOne, int other, int countOfOther) {
        return one < other + countOfOther && other < one + countOfOne;
    }

    @Override
    public String toString() {
        return text;
    }
}
