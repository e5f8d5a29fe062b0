package org.rankunit.cli;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.rankunit.cli.pool.Listing;
import org.rankunit.engine.protocol.wire.RecordCodec;
import org.rankunit.pool.DeviceStatus;
import org.rankunit.pool.WaitingRequest;
import org.rankunit.pool.health.DeviceHealth;
import org.rankunit.pool.lock.OwnerRecord;
import org.rankunit.pool.machine.NpuDevice;

/**
 * A listing for programs. The names of the record components are the fields of the JSON object, which
 * {@code docs/command-line.md} describes. Times are in ISO 8601, UTC; values that do not apply are {@code null}.
 */
record ListingJson(
        int version, String at, String folder, List<DeviceJson> devices, List<WaiterJson> waiting, List<String> notes) {

    private static final int VERSION = 1;

    record DeviceJson(
            int device,
            String platform,
            String state,
            @Nullable HolderJson holder,
            HealthJson health,
            @Nullable NpuJson npu,
            @Nullable String leftOut) {}

    record HolderJson(
            long pid,
            String user,
            String test,
            String since,
            @Nullable String until) {}

    record HealthJson(
            String state,
            @Nullable String reason,
            @Nullable String since,
            @Nullable String until) {}

    record NpuJson(
            int index, String chip, String health, @Nullable String healthText) {}

    record WaiterJson(
            int place,
            String platform,
            long pid,
            String user,
            String test,
            int count,
            List<Integer> devices,
            String since,
            @Nullable String promised) {}

    static String write(Listing listing) throws IOException {
        return new RecordCodec().encodePretty(of(listing));
    }

    private static ListingJson of(Listing listing) {
        return new ListingJson(
                VERSION,
                listing.at().toString(),
                listing.folder().toString(),
                listing.devices().stream().map(ListingJson::device).toList(),
                listing.waiting().stream().map(ListingJson::waiter).toList(),
                listing.notes());
    }

    private static DeviceJson device(Listing.Entry entry) {
        Optional<OwnerRecord> owner = entry.status().flatMap(DeviceStatus::owner);
        return new DeviceJson(
                entry.id(),
                entry.platform(),
                entry.status().map(status -> lowerCase(status.state())).orElse("left-out"),
                owner.map(ListingJson::holder).orElse(null),
                health(entry.health()),
                entry.npu().map(ListingJson::npu).orElse(null),
                entry.status().isPresent() ? null : entry.leftOut());
    }

    private static HolderJson holder(OwnerRecord owner) {
        return new HolderJson(
                owner.pid(), owner.user(), owner.test(), owner.since().toString(), text(owner.until()));
    }

    private static HealthJson health(DeviceHealth health) {
        if (health instanceof DeviceHealth.Suspect suspect) {
            return new HealthJson("suspect", suspect.reason(), suspect.since().toString(), null);
        }
        return health instanceof DeviceHealth.Quarantined quarantined
                ? new HealthJson(
                        "quarantined",
                        quarantined.reason(),
                        quarantined.since().toString(),
                        quarantined.until().toString())
                : new HealthJson("sound", null, null, null);
    }

    private static NpuJson npu(NpuDevice npu) {
        return new NpuJson(
                npu.index(),
                npu.chipName(),
                lowerCase(npu.health()),
                npu.healthText().isEmpty() ? null : npu.healthText());
    }

    private static WaiterJson waiter(Listing.Waiter waiter) {
        WaitingRequest request = waiter.request();
        OwnerRecord who = request.who();
        return new WaiterJson(
                waiter.place(),
                waiter.platform(),
                who.pid(),
                who.user(),
                who.test(),
                request.count(),
                request.devices(),
                who.since().toString(),
                text(request.promised()));
    }

    private static @Nullable String text(Optional<Instant> time) {
        return time.map(Instant::toString).orElse(null);
    }

    private static String lowerCase(Enum<?> constant) {
        return constant.name().toLowerCase(java.util.Locale.ROOT);
    }
}
