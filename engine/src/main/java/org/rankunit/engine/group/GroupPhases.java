package org.rankunit.engine.group;

import org.rankunit.engine.protocol.Phase;

/**
 * How long it took to make a group, in nanoseconds.
 *
 * @param compileBegan {@link System#nanoTime()} of its begin
 * @param compiled whether {@link Phase#COMPILE} happened, rather than a mere look for sources
 * @param goldens how long its tests waited for golden models, {@link Phase#GOLDENS}
 */
public record GroupPhases(
        long compileNanos,
        long reserveNanos,
        long startNanos,
        long bootstrapNanos,
        long compileBegan,
        boolean compiled,
        Goldens goldens) {

    /**
     * A wait for golden models.
     *
     * @param began {@link System#nanoTime()} of its begin
     * @param nanos 0 if there was none
     */
    public record Goldens(long began, long nanos) {

        public static final Goldens READY = new Goldens(0, 0);

        /** Whether there was a wait. */
        public boolean happened() {
            return nanos > 0;
        }
    }

    /** The cost for a test that runs in an existing group. */
    public static final GroupPhases KEPT = new GroupPhases(0, 0, 0, 0, 0, false, Goldens.READY);

    GroupPhases with(long start, long bootstrap) {
        return new GroupPhases(compileNanos, reserveNanos, start, bootstrap, compileBegan, compiled, goldens);
    }

    /** The same after a wait for golden models. */
    public GroupPhases after(Goldens wait) {
        return new GroupPhases(compileNanos, reserveNanos, startNanos, bootstrapNanos, compileBegan, compiled, wait);
    }
}
