package org.rankunit.comm;

import static java.util.Objects.requireNonNull;
import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.time.Duration;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * One rank's settings of a communicator. All but {@code rank} must be the same on all ranks.
 *
 * @param rank in [0, worldSize)
 * @param worldSize in [1, 64]
 * @param rendezvous how the ranks find each other
 * @param windowBytes requested size of each rank's window; 0 for the backend's default, 200 MiB
 * @param timeout of every wait, in (0, 31 days]
 * @param library a foreign library; {@code null} for the one of the device's platform
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public record CommunicatorConfig(
        int rank,
        int worldSize,
        Rendezvous rendezvous,
        long windowBytes,
        Duration timeout,
        @Nullable ForeignLibrary library) {

    static final int MAX_RANKS = 64;

    /**
     * @throws IllegalArgumentException if a value is out of range; the message names both
     */
    public CommunicatorConfig {
        requireNonNull(rendezvous, "rendezvous");
        requireNonNull(timeout, "timeout");
        require(worldSize >= 1 && worldSize <= MAX_RANKS, "worldSize = " + worldSize + " is not in [1, 64]");
        require(rank >= 0 && rank < worldSize, "rank = " + rank + " is not in [0, worldSize = " + worldSize + ")");
        require(windowBytes >= 0, "windowBytes = " + windowBytes + " is negative");
        WaitLimit.requireValid("timeout", timeout);
    }

    /** Settings for the library of the device's platform. */
    public CommunicatorConfig(int rank, int worldSize, Rendezvous rendezvous, long windowBytes, Duration timeout) {
        this(rank, worldSize, rendezvous, windowBytes, timeout, null);
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }
}
