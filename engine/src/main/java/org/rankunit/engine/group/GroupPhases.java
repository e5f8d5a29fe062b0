package org.rankunit.engine.group;

/** How long it took to make a group, in nanoseconds. */
public record GroupPhases(long reserveNanos, long startNanos, long bootstrapNanos) {

    /** The cost for a test that runs in an existing group. */
    public static final GroupPhases KEPT = new GroupPhases(0, 0, 0);
}
