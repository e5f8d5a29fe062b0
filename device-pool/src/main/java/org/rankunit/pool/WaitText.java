package org.rankunit.pool;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a wait in vain is reported as: how long, for what, and who stood in the way. Stateless. */
final class WaitText {

    private WaitText() {}

    /** {@code waited 12 s for 4 devices of a2a3sim: 0-3 held by pid 4711 (AllReduceTest) since ..., 4 free}. */
    static String of(LeaseRequest request, Duration waited, List<DeviceStatus> devices, int threadsAhead) {
        Map<Optional<OwnerRecord>, List<Integer>> held = new LinkedHashMap<>();
        List<Integer> free = new ArrayList<>();
        for (DeviceStatus device : devices) {
            if (device.state() == DeviceState.FREE) {
                free.add(device.device());
            } else {
                held.computeIfAbsent(device.owner(), unused -> new ArrayList<>())
                        .add(device.device());
            }
        }
        List<String> parts = new ArrayList<>();
        held.forEach((owner, ids) -> parts.add(DeviceList.format(ids) + " held by "
                + owner.map(WaitText::holder).orElse("a process that left no record")));
        if (!free.isEmpty()) {
            parts.add(DeviceList.format(free) + " free");
        }
        if (threadsAhead > 0) {
            parts.add("behind " + threadsAhead + " earlier " + (threadsAhead == 1 ? "request" : "requests")
                    + " of this process");
        }
        return "waited " + of(waited) + " for " + request.devicesInWords() + " of " + request.platform() + ": "
                + String.join(", ", parts);
    }

    private static String holder(OwnerRecord owner) {
        String onOneLine = owner.test().replaceAll("\\p{Cntrl}+", " ");
        return "pid " + owner.pid() + " (" + onOneLine + ") since "
                + owner.since().truncatedTo(ChronoUnit.SECONDS);
    }

    /** {@code 250 ms}, {@code 1.5 s}, {@code 12 s}. */
    static String of(Duration waited) {
        long millis = Math.max(0, waited.toMillis());
        if (millis < 1000) {
            return millis + " ms";
        }
        long tenths = millis / 100;
        return tenths / 10 + (tenths % 10 == 0 || millis >= 10_000 ? "" : "." + tenths % 10) + " s";
    }
}
