package org.rankunit.engine.timeline.trace;

/**
 * A row of a rank's timeline.
 *
 * @param rank {@link #PATHS} for the lanes that belong to no rank
 * @param number its place among the lanes of the rank; distinguishes them
 */
record Lane(int rank, int number, String name) {

    /** Lanes are this far apart, to leave room for the rows of one whose slices do not nest. */
    static final int DISTANCE = 100;

    /** Any number of tasks may be ready at the same time. */
    private static final int ROWS_OF_SCHEDULERS = 16;

    /** The process of critical paths, behind those of all ranks. */
    static final int PATHS = 1_000;

    private static final int ORCHESTRATIONS = 1;
    private static final int DISPATCHES = 2;
    private static final int COMPLETIONS = 3;
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

    /** What of the scheduler lies between the moment from which on a task could run and its first block. */
    static Lane dispatch(int rank) {
        return new Lane(rank, DISPATCHES, "scheduler: dispatch");
    }

    /** What of the scheduler lies between the last block of a task and its completion. */
    static Lane completion(int rank) {
        return new Lane(rank, COMPLETIONS, "scheduler: completion");
    }

    static Lane stream(int rank, long stream) {
        return new Lane(rank, (int) Math.min(STREAMS + stream, CUBES - 1), "stream " + stream);
    }

    static Lane core(int rank, boolean cube, int core) {
        return new Lane(rank, (cube ? CUBES : VECTORS) + core, (cube ? "cube" : "vector") + " core " + core);
    }

    static Lane pathOfTest() {
        return new Lane(PATHS, 0, "test");
    }

    static Lane pathsOfRuns(int rank) {
        return new Lane(PATHS, 1 + rank, "graphs of rank " + rank);
    }

    /** Whether it is a core or a stream. */
    boolean isWorker() {
        return rank != PATHS && number >= STREAMS;
    }

    boolean isStream() {
        return isWorker() && number < CUBES;
    }

    /** How many rows it may have; what needs a further one is not shown. */
    int mostRows() {
        return isFlat() ? ROWS_OF_SCHEDULERS : DISTANCE;
    }

    /** Whether no slice is a part of another one, even if it is within its time. */
    boolean isFlat() {
        return rank != PATHS && (number == DISPATCHES || number == COMPLETIONS);
    }

    /** The number of one of its rows in the file, where lanes are threads. */
    int thread(int row) {
        return number * DISTANCE + row;
    }

    String name(int row) {
        return row == 0 ? name : name + " (" + (row + 1) + ")";
    }
}
