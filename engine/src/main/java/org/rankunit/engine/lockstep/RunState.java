package org.rankunit.engine.lockstep;

/**
 * Whether a run of tests continues. Only {@link RunControl} changes the state, and only from {@link Running} to one of the others.
 */
sealed interface RunState {

    /** The ranks may enter tests. */
    record Running() implements RunState {}

    /** No rank enters another test; only clean-up runs. */
    sealed interface Stopped extends RunState {}

    /**
     * The ranks were released, since no rank will meet them any more.
     *
     * @param blamed the rank that failed, or the rank that is named if none did
     */
    record Released(int blamed) implements Stopped {}

    /**
     * The ranks were released because some left something by an assumption or a condition and the others did not.
     *
     * @param leaver the lowest rank that left
     */
    record Parted(int leaver) implements Stopped {}

    /** The deadline passed before any rank was released. */
    record OutOfTime() implements Stopped {}
}
