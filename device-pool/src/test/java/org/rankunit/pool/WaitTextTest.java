package org.rankunit.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rankunit.pool.health.DeviceHealth;
import org.rankunit.pool.lock.Deadline;
import org.rankunit.pool.lock.OwnerRecord;

@Tag("unit")
class WaitTextTest {

    private static final DeviceHealth SOUND = new DeviceHealth.Sound();
    private static final Instant SINCE = Instant.parse("2026-11-21T05:09:00.123Z");

    @Test
    void holdersAreNamedWithTheirDevices() {
        Optional<OwnerRecord> allReduce = Optional.of(
                new OwnerRecord(4711, SINCE.minusSeconds(3), "alice", "AllReduceTest", SINCE, Optional.empty()));
        List<DeviceStatus> devices = Stream.of(
                        IntStream.range(0, 4).mapToObj(id -> new DeviceStatus(id, DeviceState.HELD, allReduce, SOUND)),
                        Stream.of(new DeviceStatus(4, DeviceState.HELD, Optional.empty(), SOUND)),
                        IntStream.range(5, 7)
                                .mapToObj(id -> new DeviceStatus(id, DeviceState.FREE, Optional.empty(), SOUND)))
                .flatMap(status -> status)
                .toList();
        List<WaitingRequest> ahead = Stream.of(2, 8, 1, 1)
                .map(count -> new WaitingRequest(allReduce.orElseThrow(), count, List.of(0), Optional.empty()))
                .toList();
        assertThat(WaitText.of(new LeaseRequest("a2a3sim", 4, "T"), Duration.ofSeconds(12), devices, ahead))
                .isEqualTo("12 s for 4 devices of a2a3sim: 0-3 held by pid 4711 (AllReduceTest) since"
                        + " 2026-11-21T05:09:00Z, 4 held by a process that left no record, 5-6 free,"
                        + " behind 4 earlier requests: pid 4711 (AllReduceTest) for 2 devices; pid 4711 (AllReduceTest) for"
                        + " 8 devices; pid 4711 (AllReduceTest) for 1 device; ...");
    }

    @Test
    void aTestWithLineBreaksInItsNameStaysOnTheLine() {
        OwnerRecord owner = new OwnerRecord(4711, SINCE, "alice", "sum [1,\n 2]", SINCE, Optional.empty());
        assertThat(WaitText.of(
                        new LeaseRequest("a2a3sim", 1, "T"),
                        Duration.ofSeconds(12),
                        List.of(new DeviceStatus(0, DeviceState.HELD, Optional.of(owner), SOUND)),
                        List.of()))
                .isEqualTo("12 s for 1 device of a2a3sim: 0 held by pid 4711 (sum [1,  2]) since"
                        + " 2026-11-21T05:09:00Z");
    }

    @Test
    void devicesThatAreNotLentAreToldWithTheReason() {
        DeviceHealth quarantined = new DeviceHealth.Quarantined("no\nanswer", SINCE, SINCE.plusSeconds(3600));
        DeviceHealth suspect = new DeviceHealth.Suspect("crashed", SINCE);
        List<DeviceStatus> devices = List.of(
                new DeviceStatus(0, DeviceState.FREE, Optional.empty(), quarantined),
                new DeviceStatus(1, DeviceState.FREE, Optional.empty(), suspect));
        assertThat(WaitText.of(new LeaseRequest("a2a3", 1, "T"), Duration.ofSeconds(5), devices, List.of()))
                .isEqualTo(
                        "5 s for 1 device of a2a3: 0 in quarantine until 2026-11-21T06:09:00Z (no answer), 1 suspect");
    }

    @ParameterizedTest
    @CsvSource({"-5, 0 ms", "250, 250 ms", "1000, 1 s", "1540, 1.5 s", "12900, 12 s", "600000, 600 s"})
    void timesAreShort(long millis, String text) {
        assertThat(Deadline.inWords(Duration.ofMillis(millis))).isEqualTo(text);
    }
}
