package org.rankunit.engine.timeline.trace;

/**
 * A row of a rank's timeline.
 *
 * @param number its place among the lanes of the rank; distinguishes them
 */
record Lane(int rank, int number, String name) {

    /** Lanes are this far apart, to leave room for the rows of one whose slices do not nest. */
    static final int DISTANCE = 100;

    private static final int ORCHESTRATIONS = 1;
    private static final int STREAMS = 1_000;

    /** Beyond all streams that a device can have had; its numbers of threads still are numbers of 32 bits. */
    private static final int CUBES = 20_000_000;

    private static final int VECTORS = 20_001_000;

    static Lane host(int rank) {
        return new Lane(rank, 0, "host");
    }

    static Lane orchestration(int rank) {
        return new Lane(rank, ORCHESTRATIONS, "orchestration");
    }

    static Lane stream(int rank, long stream) {
        return new Lane(rank, (int) Math.min(STREAMS + stream, CUBES - 1), "stream " + stream);
    }

    static Lane core(int rank, boolean cube, int core) {
        return new Lane(rank, (cube ? CUBES : VECTORS) + core, (cube ? "cube" : "vector") + " core " + core);
    }

    /** The number of one of its rows in the file, where lanes are threads. */
    int thread(int row) {
        return number * DISTANCE + row;
    }

    String name(int row) {
        return row == 0 ? name : name + " (" + (row + 1) + ")";
    }
}
