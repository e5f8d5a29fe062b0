package org.rankunit.cli;

import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.rankunit.cli.pool.Listing;
import org.rankunit.cli.text.DisplayText;
import org.rankunit.pool.DeviceState;
import org.rankunit.pool.DeviceStatus;
import org.rankunit.pool.WaitingRequest;
import org.rankunit.pool.health.DeviceHealth;
import org.rankunit.pool.lock.OwnerRecord;
import org.rankunit.pool.machine.NpuDevice;
import org.rankunit.pool.machine.NpuHealth;

/** What a listing may hold, for the tests of how it is said. */
final class Listings {

    static final Instant NOW = Instant.parse("2026-11-21T14:05:00Z");
    static final DisplayText WORDS = new DisplayText(NOW, ZoneOffset.UTC);

    private static final String HARDWARE = "a2a3";
    private static final OwnerRecord ADA = new OwnerRecord(
            4711,
            Instant.parse("2026-11-21T14:00:00Z"),
            "ada",
            "org.example.AllReduceTest",
            Instant.parse("2026-11-21T14:02:10.250Z"),
            Optional.of(Instant.parse("2026-11-21T14:07:10.250Z")));
    private static final OwnerRecord BOB = new OwnerRecord(
            815,
            Instant.parse("2026-11-21T14:00:00Z"),
            "bob",
            "org.example.TreduceTest",
            Instant.parse("2026-11-21T14:03:50Z"),
            Optional.empty());

    private Listings() {}

    static Listing.Entry free(int id) {
        return lent(id, DeviceState.FREE, Optional.empty(), new DeviceHealth.Sound());
    }

    static Listing.Entry held(int id) {
        return lent(id, DeviceState.HELD, Optional.of(ADA), new DeviceHealth.Sound());
    }

    static Listing.Entry heldBySomebody(int id) {
        return lent(id, DeviceState.HELD, Optional.empty(), new DeviceHealth.Sound());
    }

    static Listing.Entry suspect(int id, String reason) {
        return lent(id, DeviceState.FREE, Optional.empty(), new DeviceHealth.Suspect(reason, NOW.minusSeconds(600)));
    }

    static Listing.Entry quarantined(int id) {
        return lent(
                id,
                DeviceState.FREE,
                Optional.empty(),
                new DeviceHealth.Quarantined(
                        "the probe ended with status 1", NOW.minusSeconds(60), NOW.plusSeconds(3540)));
    }

    static Listing.Entry leftOut(int id) {
        return new Listing.Entry(
                HARDWARE, id, Optional.of(npu(id, NpuHealth.ALARM, "Alarm")), Optional.empty(), "npu-smi says Alarm");
    }

    private static Listing.Entry lent(int id, DeviceState state, Optional<OwnerRecord> owner, DeviceHealth health) {
        return new Listing.Entry(
                HARDWARE,
                id,
                Optional.of(npu(id, NpuHealth.OK, "OK")),
                Optional.of(new DeviceStatus(id, state, owner, health)),
                "");
    }

    private static NpuDevice npu(int id, NpuHealth health, String text) {
        return new NpuDevice(id, id, id, 0, "910B3", HARDWARE, health, text, "0000:C1:00.0");
    }

    static Listing.Waiter waiter(int place) {
        return new Listing.Waiter(
                HARDWARE,
                place,
                new WaitingRequest(BOB, 4, List.of(0, 1, 2, 3, 5), Optional.of(Instant.parse("2026-11-21T14:07:10Z"))));
    }

    static Listing of(List<Listing.Entry> devices, List<Listing.Waiter> waiting) {
        return new Listing(NOW, Path.of("/pool"), devices, waiting, List.of());
    }
}
