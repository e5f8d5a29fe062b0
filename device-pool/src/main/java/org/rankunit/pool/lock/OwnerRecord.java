package org.rankunit.pool.lock;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Say who holds a device.
 *
 * <p>A record is information for people; the lock on the device's lock file is what counts. Immutable.
 *
 * @param pid process that holds the lock
 * @param processStart when that process started; tells it from a later process with the same id
 * @param user login name the process runs under; the number of a user that has none
 * @param test what the lease was asked for; read back from the pool's folder it is cut to 500 characters
 * @param since when the lease, or the wait for it, began, in whole milliseconds
 * @param until when the lease will have ended, as its holder expects; empty if the holder cannot say
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record OwnerRecord(
        long pid, Instant processStart, String user, String test, Instant since, Optional<Instant> until) {

    /**
     * How far two readings of one process's start may lie apart. The JDK reckons it from the machine's boot time, which
     * the kernel derives from a clock that is being adjusted. No process id comes round again this fast.
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

    /** Whether the very process that wrote this record still runs; false also where that cannot be known. */
    boolean isOfLiveProcess() {
        return ProcessHandle.of(pid)
                .flatMap(process -> process.info().startInstant())
                .map(start -> Duration.between(start, processStart).abs().compareTo(START_TOLERANCE) <= 0)
                .orElse(false);
    }
}
