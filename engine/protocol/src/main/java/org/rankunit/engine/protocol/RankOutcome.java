package org.rankunit.engine.protocol;

import java.util.List;

/** How one test, or one container of tests, ended on one rank. */
public sealed interface RankOutcome {

    /** It completed. */
    record Passed() implements RankOutcome {}

    /** It was not run because of a condition such as {@code @Disabled}. */
    record Skipped(String reason) implements RankOutcome {}

    /** It was left to other ranks because an earlier test failed on these; this is not a result. */
    record NotRun() implements RankOutcome {}

    /** An assumption aborted it. */
    record Aborted(Failure cause) implements RankOutcome {}

    /**
     * It failed by itself.
     *
     * @param standstill what all ranks were waiting for if a wait in the communicator timed out; otherwise empty
     * @param deviceError the vendor's error code if the device reported a fault; otherwise 0
     * @param phase the phase in which it failed
     * @param waits who waited for whom, as far as {@code standstill} tells it
     */
    record Failed(Failure cause, String standstill, int deviceError, Phase phase, List<RankWait> waits)
            implements RankOutcome {

        public Failed(Failure cause, String standstill, int deviceError, Phase phase) {
            this(cause, standstill, deviceError, phase, List.of());
        }

        public Failed(Failure cause, String standstill, int deviceError) {
            this(cause, standstill, deviceError, Phase.RUN);
        }

        public Failed(Failure cause) {
            this(cause, "", 0);
        }

        /** Whether the device is probably to blame. A wrong result is never considered the device's fault. */
        public boolean isOfDevice() {
            return deviceError != 0 && !cause.assertion();
        }
    }

    /**
     * It was released because another rank failed or gave up first; this is never the cause of a failure.
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
     * It had not ended when the parent gave up the rank.
     *
     * @param standstill what all ranks were waiting for, in one sentence; empty if it is not known
     * @param waits who waited for whom, as far as {@code standstill} tells it
     */
    record Unfinished(String why, String logTail, String standstill, List<RankWait> waits) implements RankOutcome {

        public Unfinished(String why, String logTail, String standstill) {
            this(why, logTail, standstill, List.of());
        }

        public Unfinished(String why, String logTail) {
            this(why, logTail, "");
        }
    }

    /**
     * What one rank of a hang waits for.
     *
     * @param where the operation it is in, with its place, what its devices wait for, or where it is outside of the test
     * @param awaited the ranks that must come before it can go on; empty if that is not known
     */
    record RankWait(int rank, String where, List<Integer> awaited) {

        public RankWait {
            awaited = List.copyOf(awaited);
        }
    }

    /** Whether this outcome makes the test fail, as a cause or as a consequence. */
    default boolean isFailure() {
        return this instanceof Failed || this instanceof Released || this instanceof Died || this instanceof Unfinished;
    }

    /** Whether the rank left it early without failing, because of an assumption or a condition. */
    default boolean isLeft() {
        return this instanceof Skipped || this instanceof Aborted;
    }
}
