package org.rankunit.engine.lockstep;

import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.control.FromRank;

/** How far one rank is in a run of tests. */
final class Progress {

    /** Asked to enter this test and waits for the answer. */
    @Nullable String waitsFor;

    /** Tests it has entered and not ended; more than one in a factory, which is around its dynamic tests. */
    final Set<String> inside = new LinkedHashSet<>();

    /** When it last began or ended something, as {@link System#nanoTime()}. */
    long cameThere = System.nanoTime();

    /** What it said that it is running, as the parent last asked it; {@code null} once it has gone on. */
    FromRank.@Nullable Whereabouts whereabouts;

    /** Jupiter has found the tests there and runs them. */
    boolean begun;

    boolean finished;

    /** Note that it has begun or ended something. */
    void moved() {
        cameThere = System.nanoTime();
        whereabouts = null;
    }

    /** What it is doing instead of running the user's code; empty for nothing. */
    String doing() {
        return whereabouts == null ? "" : whereabouts.doing();
    }

    /** Where it says it is, outside of the tests it has entered; empty if it did not say. */
    String place() {
        return waitsFor != null ? waitsFor : whereabouts == null ? "" : whereabouts.uniqueId();
    }
}
