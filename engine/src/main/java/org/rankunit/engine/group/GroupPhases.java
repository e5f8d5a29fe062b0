package org.rankunit.engine.group;

/** How long it took to make a group, in nanoseconds. */
public record GroupPhases(long compileNanos, long reserveNanos, long startNanos, long bootstrapNanos) {

    /** The cost for a test that runs in an existing group. */
    public static final GroupPhases KEPT = new GroupPhases(0, 0, 0, 0);

    /** The phases before the group has devices and processes. */
    public static GroupPhases before(long compileNanos, long reserveNanos) {
        return new GroupPhases(compileNanos, reserveNanos, 0, 0);
    }

    GroupPhases with(long start, long bootstrap) {
        return new GroupPhases(compileNanos, reserveNanos, start, bootstrap);
    }
}
