package org.rankunit.engine.lockstep;

/** Whether a run of tests goes on. Only {@link RunControl} moves it, and only from {@link Running} to one of the others. */
sealed interface RunState {

    /** Tests are entered. */
    record Running() implements RunState {}

    /** No further test is entered; only clean-up runs. */
    sealed interface Stopped extends RunState {}

    /**
     * The ranks were released, since nobody will come to meet them any more.
     *
     * @param blamed the rank that failed, or else the one that is named where none did
     */
    record Released(int blamed) implements Stopped {}

    /**
     * The ranks were released because some left what the others did not, by an assumption or a condition.
     *
     * @param leaver the lowest rank that left
     */
    record Parted(int leaver) implements Stopped {}

    /** The time was over; nobody was released before. */
    record OutOfTime() implements Stopped {}
}
