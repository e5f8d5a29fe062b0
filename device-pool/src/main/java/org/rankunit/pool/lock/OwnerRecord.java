package org.rankunit.pool.lock;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Describe who holds a device.
 *
 * <p>A record is information for people; only the lock on the device's lock file is authoritative. Immutable.
 *
 * @param pid process that holds the lock
 * @param processStart when that process started; distinguishes it from a later process with the same id
 * @param user login name of the process's user; the user id if the user has no name
 * @param test what the lease is for; cut to 500 characters when read back from the pool's folder
 * @param since when the lease, or the wait for it, began, in whole milliseconds
 * @param until when the holder expects the lease to have ended; empty if unknown
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record OwnerRecord(
        long pid, Instant processStart, String user, String test, Instant since, Optional<Instant> until) {

    /**
     * How much two readings of one process's start time may differ. The JDK computes the start time from the machine's
     * boot time, which the kernel derives from a clock that is adjusted. No process id is reused this soon.
     */
    private static final Duration START_TOLERANCE = Duration.ofSeconds(2);

    private static final OwnerRecord SELF = new OwnerRecord(
            ProcessHandle.current().pid(),
            ProcessHandle.current().info().startInstant().orElse(Instant.EPOCH),
            ProcessUser.name(),
            "",
            Instant.EPOCH,
            Optional.empty());

    @API(status = API.Status.INTERNAL, since = "0.1")
    public static OwnerRecord ofThisProcess(String test, Instant now, Optional<Duration> expected) {
        Instant since = now.truncatedTo(ChronoUnit.MILLIS);
        return new OwnerRecord(SELF.pid, SELF.processStart, SELF.user, test, since, expected.map(since::plus));
    }

    @API(status = API.Status.INTERNAL, since = "0.1")
    public OwnerRecord renewed(String nextTest, Optional<Duration> atMost, Instant now) {
        return new OwnerRecord(
                pid, processStart, user, nextTest, since, atMost.map(now.truncatedTo(ChronoUnit.MILLIS)::plus));
    }

    /** Whether the process that wrote this record is still running; false also if that is unknown. */
    boolean isOfLiveProcess() {
        return ProcessHandle.of(pid)
                .flatMap(process -> process.info().startInstant())
                .map(start -> Duration.between(start, processStart).abs().compareTo(START_TOLERANCE) <= 0)
                .orElse(false);
    }
}
