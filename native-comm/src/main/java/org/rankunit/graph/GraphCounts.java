package org.rankunit.graph;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;

/**
 * Numbers of the latest run of a graph. What is greater than 4,294,967,295 is given as that.
 *
 * @param completed tasks that have completed, {@code skipped} ones included
 * @param skipped tasks that did not run, since their predicate did not hold
 * @param edges dependencies that were added or derived, without those on tasks that had completed
 * @param mostSlots slots of one ring that were in use at the same time, at most; 0 in a graph without rings
 * @param mostHeapKiB KiB of one ring's heap that were in use at the same time, at most; 0 in a graph without rings
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public record GraphCounts(long completed, long skipped, long edges, long mostSlots, long mostHeapKiB) {}
