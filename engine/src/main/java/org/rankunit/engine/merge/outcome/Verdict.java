package org.rankunit.engine.merge.outcome;

/** The merged result of a test over all its ranks. */
public sealed interface Verdict {

    /** It passed on every rank. */
    record Passed() implements Verdict {}

    /** It was skipped on every rank, or was not planned to run. */
    record Skipped(String reason) implements Verdict {}

    /** It was aborted on at least one rank and failed on none. */
    record Aborted(Throwable cause) implements Verdict {}

    /** It failed on at least one rank. */
    record Failed(Throwable cause) implements Verdict {}
}
