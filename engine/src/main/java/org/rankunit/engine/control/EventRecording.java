package org.rankunit.engine.control;

/**
 * Where a rank on a simulator records what happens on its device.
 *
 * @param log the file of this rank
 * @param order the file that the ranks of the group share
 * @param capacity number of events that {@code log} has room for
 */
public record EventRecording(String log, String order, long capacity) {}
