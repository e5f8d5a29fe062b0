package org.rankunit.engine.launch;

/**
 * What can be seen of a rank from outside. Dumps and stacks are in its log.
 *
 * @param state a clause such as {@code its process is stopped}, or empty if there is nothing to say
 */
public record ProcessInspection(String state) {}
