package org.rankunit.engine.launch;

/**
 * What an inspection from outside found out about a rank. Dumps and stacks are in its log.
 *
 * @param state a clause such as {@code its process is stopped}, or empty if there is nothing to report
 */
public record ProcessInspection(String state) {}
