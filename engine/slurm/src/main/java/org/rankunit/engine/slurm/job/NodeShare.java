package org.rankunit.engine.slurm.job;

import java.util.List;

/**
 * What a job has on one node.
 *
 * @param devices how many devices of the resource that was asked about
 * @param deviceIds their places in Slurm's configuration of the node ({@code gres.conf}), ascending; empty if Slurm
 *     only counts them
 */
public record NodeShare(String node, int cpus, int devices, List<Integer> deviceIds) {

    public NodeShare {
        deviceIds = List.copyOf(deviceIds);
        if (!deviceIds.isEmpty() && deviceIds.size() != devices) {
            throw new IllegalArgumentException(
                    "node " + node + " has " + devices + " devices, and Slurm lists the ids " + deviceIds);
        }
    }
}
