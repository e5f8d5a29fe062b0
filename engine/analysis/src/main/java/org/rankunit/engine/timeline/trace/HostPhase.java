package org.rankunit.engine.timeline.trace;

/**
 * A phase of a test on one rank, or a part of it.
 *
 * @param beginNanos by {@link System#nanoTime()}, as in logs of events
 */
public record HostPhase(int rank, String name, long beginNanos, long endNanos) {}
