package org.rankunit.engine.group;

import org.rankunit.engine.control.Phase;

/**
 * How long it took to make a group, in nanoseconds.
 *
 * @param compileBegan {@link System#nanoTime()} of its begin
 * @param compiled whether {@link Phase#COMPILE} happened, rather than a mere look for sources
 */
public record GroupPhases(
        long compileNanos,
        long reserveNanos,
        long startNanos,
        long bootstrapNanos,
        long compileBegan,
        boolean compiled) {

    /** The cost for a test that runs in an existing group. */
    public static final GroupPhases KEPT = new GroupPhases(0, 0, 0, 0, 0, false);

    GroupPhases with(long start, long bootstrap) {
        return new GroupPhases(compileNanos, reserveNanos, start, bootstrap, compileBegan, compiled);
    }
}
