package org.rankunit.engine.protocol;

/**
 * Where a rank runs that was started as a task of a cluster's step, as it says itself in its first message.
 *
 * @param node the name of its node
 * @param localRank its number among the ranks of its group on this node, counted from 0
 * @param device the number of its device on the node
 * @param runtimeDevice the number of the same device in the platform's runtime
 * @param deviceSource the variable that named the device, or how else its number was found
 * @param step the id of the step, such as {@code 4711.0}
 * @param pid the id of its process on the node
 */
public record RankPlace(
        String node, int localRank, int device, int runtimeDevice, String deviceSource, String step, long pid) {}
