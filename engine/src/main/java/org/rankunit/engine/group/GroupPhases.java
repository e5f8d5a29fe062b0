package org.rankunit.engine.group;

/** How long the making of a group took, in nanoseconds. */
public record GroupPhases(long reserveNanos, long startNanos, long bootstrapNanos) {

    /** What a test pays that runs in a group made before. */
    public static final GroupPhases KEPT = new GroupPhases(0, 0, 0);
}
