package org.rankunit.engine.launch;

import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How far one rank is in a run of tests. */
final class Progress {

    /** Asked to enter this test and waits for the answer. */
    @Nullable String waitsFor;

    /** Tests it has entered and not ended; more than one in a factory, which is around its dynamic tests. */
    final Set<String> inside = new LinkedHashSet<>();

    /** When it last began or ended something, as {@link System#nanoTime()}. */
    long cameThere = System.nanoTime();

    /** Jupiter has found the tests there and runs them. */
    boolean begun;

    boolean finished;
}
