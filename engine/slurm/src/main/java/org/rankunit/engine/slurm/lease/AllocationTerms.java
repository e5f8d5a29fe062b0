package org.rankunit.engine.slurm.lease;

import java.util.Locale;
import java.util.Optional;
import org.rankunit.engine.config.Platform;
import org.rankunit.engine.config.SlurmSettings;
import org.rankunit.engine.slurm.job.NodeShare;

/**
 * What a run makes of its share of each node.
 *
 * @param hardware the platform that the allocated devices stand for
 * @param simulatorDevices the most virtual devices of each simulator on a node
 * @param unit how many devices Slurm gives out together
 * @param tellsDevices whether groups on the same node know for certain that their devices differ, before any rank has said
 *     where it has the number of its device from
 * @param simulatorsShareMemory whether the ranks of a simulator find each other's windows in memory, and so need the same node:
 *     unless a communication library of the user connects them, whose processes Slurm makes known to each other
 */
public record AllocationTerms(
        Platform hardware, int simulatorDevices, int unit, boolean tellsDevices, boolean simulatorsShareMemory) {

    /** The types of devices that are of the platform a5; all others are of a2a3. */
    private static final String A5 = ".*(950|a5).*";

    /**
     * Read the terms from the settings.
     *
     * @param platform the only platform of the run; empty for any
     * @param hasLibrary whether the user's communication library connects the ranks
     */
    public static AllocationTerms of(
            SlurmSettings settings, int simulatorDevices, Optional<Platform> platform, boolean hasLibrary) {
        Platform hardware = platform.filter(given -> !given.isSimulator())
                .orElseGet(() -> Platform.named(
                                settings.gres().toLowerCase(Locale.ROOT).matches(A5) ? "a5" : "a2a3")
                        .orElseThrow());
        return new AllocationTerms(
                hardware,
                simulatorDevices,
                settings.gresUnit(),
                settings.deviceIds() != SlurmSettings.DeviceIds.STEP,
                !(hasLibrary && settings.connectsTasks()));
    }

    /**
     * How many ranks on a platform can be on a node at the same time: each needs a processor, and its device. A simulated device
     * needs no allocated one.
     */
    int slots(NodeShare share, Platform platform) {
        if (platform.isSimulator()) {
            return Math.min(share.cpus(), simulatorDevices);
        }
        return platform.equals(hardware) ? Math.min(share.cpus(), share.devices()) : 0;
    }
}
