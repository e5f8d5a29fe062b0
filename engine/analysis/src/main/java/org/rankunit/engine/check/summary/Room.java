package org.rankunit.engine.check.summary;

/** How many arguments the runs of a record may keep together. */
final class Room {

    private long left;

    Room(long left) {
        this.left = left;
    }

    boolean take() {
        if (left <= 0) {
            return false;
        }
        left--;
        return true;
    }

    void giveBack(long count) {
        left += count;
    }
}
