package org.rankunit.pool;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.rankunit.pool.health.DeviceHealth;
import org.rankunit.pool.inventory.DeviceList;
import org.rankunit.pool.lock.Deadline;
import org.rankunit.pool.lock.OwnerRecord;

/** Describes a wait: how long, for what, and who is in the way. Stateless. */
final class WaitText {

    private static final int MAX_NAMED = 3;

    private WaitText() {}

    /**
     * {@code 12 s for 4 devices of a2a3sim: 0-3 held by pid 4711 (AllReduceTest) since ..., 4 free}, to follow
     * {@code waiting} or {@code waited}.
     *
     * @param ahead earlier requests that still wait
     */
    static String of(LeaseRequest request, Duration waited, List<DeviceStatus> devices, List<WaitingRequest> ahead) {
        List<String> parts = new ArrayList<>(inTheWay(devices));
        if (!ahead.isEmpty()) {
            List<String> named = new ArrayList<>();
            ahead.stream()
                    .limit(MAX_NAMED)
                    .forEach(each -> named.add(name(each.who()) + " for " + DeviceList.inWords(each.count())));
            if (ahead.size() > MAX_NAMED) {
                named.add("...");
            }
            parts.add("behind " + ahead.size() + " earlier " + (ahead.size() == 1 ? "request: " : "requests: ")
                    + String.join("; ", named));
        }
        return Deadline.inWords(waited) + " for " + request.devicesInWords() + " of " + request.platform() + ": "
                + String.join(", ", parts);
    }

    private static List<String> inTheWay(List<DeviceStatus> devices) {
        Map<Optional<OwnerRecord>, List<Integer>> held = new LinkedHashMap<>();
        List<Integer> free = new ArrayList<>();
        List<Integer> suspect = new ArrayList<>();
        List<String> quarantined = new ArrayList<>();
        for (DeviceStatus device : devices) {
            if (device.state() == DeviceState.HELD) {
                held.computeIfAbsent(device.owner(), unused -> new ArrayList<>())
                        .add(device.device());
            } else if (device.health() instanceof DeviceHealth.Quarantined why) {
                quarantined.add(quarantined(device.device(), why));
            } else if (device.health() instanceof DeviceHealth.Suspect) {
                suspect.add(device.device());
            } else {
                free.add(device.device());
            }
        }
        List<String> parts = new ArrayList<>();
        held.forEach((owner, ids) -> parts.add(DeviceList.format(ids) + " held by "
                + owner.map(WaitText::holder).orElse("a process that left no record")));
        parts.addAll(quarantined);
        if (!suspect.isEmpty()) {
            parts.add(DeviceList.format(suspect) + " suspect");
        }
        if (!free.isEmpty()) {
            parts.add(DeviceList.format(free) + " free");
        }
        return parts;
    }

    /** {@code 3 in quarantine until ... (the probe ended with status 1)}. */
    static String quarantined(int device, DeviceHealth.Quarantined why) {
        return device + " in quarantine until " + why.until().truncatedTo(ChronoUnit.SECONDS) + " ("
                + onOneLine(why.reason()) + ")";
    }

    private static String holder(OwnerRecord owner) {
        return name(owner) + " since " + owner.since().truncatedTo(ChronoUnit.SECONDS);
    }

    private static String name(OwnerRecord owner) {
        return "pid " + owner.pid() + " (" + onOneLine(owner.test()) + ")";
    }

    private static String onOneLine(String text) {
        return text.replaceAll("\\p{Cntrl}+", " ");
    }
}
