package org.rankunit.comm;

import static java.util.Objects.requireNonNull;
import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.nio.file.Path;
import java.time.Duration;
import org.apiguardian.api.API;

/**
 * One rank's settings of a communicator. All but {@code rank} and {@code deviceId} are the same on all its ranks.
 *
 * @param platform such as {@code a2a3sim}
 * @param rank in [0, rankCount)
 * @param rankCount in [1, 64]
 * @param deviceId the device of this rank, from 0
 * @param rootInfo the file through which the ranks find each other, in an existing folder; made and removed by
 *     rank 0, and of no other communicator at the same time
 * @param windowBytes wanted size of each rank's window; 0 for the backend's own, 200 MiB
 * @param timeout of every wait, in (0, 31 days]
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public record CommunicatorConfig(
        String platform, int rank, int rankCount, int deviceId, Path rootInfo, long windowBytes, Duration timeout) {

    static final int MAX_RANKS = 64;

    /**
     * @throws IllegalArgumentException naming the value and its range
     */
    public CommunicatorConfig {
        requireNonNull(platform, "platform");
        requireNonNull(rootInfo, "rootInfo");
        requireNonNull(timeout, "timeout");
        require(!platform.isBlank(), "platform is blank");
        require(rankCount >= 1 && rankCount <= MAX_RANKS, "rankCount = " + rankCount + " is not in [1, 64]");
        require(rank >= 0 && rank < rankCount, "rank = " + rank + " is not in [0, rankCount = " + rankCount + ")");
        require(deviceId >= 0, "deviceId = " + deviceId + " is negative");
        require(windowBytes >= 0, "windowBytes = " + windowBytes + " is negative");
        WaitLimit.requireValid("timeout", timeout);
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }
}
