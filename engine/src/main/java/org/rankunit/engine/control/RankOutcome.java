package org.rankunit.engine.control;

/** How one test, or one container of tests, ended on one rank. */
public sealed interface RankOutcome {

    /** It ran to its end. */
    record Passed() implements RankOutcome {}

    /** It was not run, by a condition such as {@code @Disabled}. */
    record Skipped(String reason) implements RankOutcome {}

    /** It was left for other ranks, because an earlier test failed on these; no result at all. */
    record NotRun() implements RankOutcome {}

    /** It gave up by an assumption. */
    record Aborted(Failure cause) implements RankOutcome {}

    /**
     * It failed by itself.
     *
     * @param standstill what all ranks were waiting for, where a wait in the communicator took too long; else empty
     * @param deviceError the vendor's error by which the device told that something is wrong with it; 0 if it did not
     */
    record Failed(Failure cause, String standstill, int deviceError) implements RankOutcome {

        public Failed(Failure cause) {
            this(cause, "", 0);
        }

        /** Whether the device is to blame, as far as one can tell: a wrong result is never the device's fault. */
        public boolean isOfDevice() {
            return deviceError != 0 && !cause.assertion();
        }
    }

    /**
     * It was released because another rank failed or gave up first; never the cause of anything.
     *
     * @param from the operation of the communicator it was in, with its place; empty if it was in none
     */
    record Released(int failedRank, Failure consequence, String from) implements RankOutcome {

        public Released(int failedRank, Failure consequence) {
            this(failedRank, consequence, "");
        }
    }

    /** The rank's process ended during it. */
    record Died(String how, String logTail) implements RankOutcome {}

    /**
     * It had not ended when the parent gave it up.
     *
     * @param standstill what all ranks were waiting for, in one sentence; empty if it is not known
     */
    record Unfinished(String why, String logTail, String standstill) implements RankOutcome {

        public Unfinished(String why, String logTail) {
            this(why, logTail, "");
        }
    }

    /** Whether this outcome makes the test fail, as a cause or as a consequence. */
    default boolean isFailure() {
        return this instanceof Failed || this instanceof Released || this instanceof Died || this instanceof Unfinished;
    }

    /** Whether the rank left it before its end without failing, by an assumption or a condition. */
    default boolean isLeft() {
        return this instanceof Skipped || this instanceof Aborted;
    }
}
