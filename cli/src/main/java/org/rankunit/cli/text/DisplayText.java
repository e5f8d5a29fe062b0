package org.rankunit.cli.text;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.rankunit.pool.health.DeviceHealth;
import org.rankunit.pool.lock.OwnerRecord;
import org.rankunit.pool.machine.NpuDevice;
import org.rankunit.pool.machine.NpuHealth;

/**
 * Formats times, holders and health for people. Immutable.
 *
 * @param now the moment that times are relative to
 * @param zone the time zone of the output
 */
public record DisplayText(Instant now, ZoneId zone) {

    private static final DateTimeFormatter TODAY = DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);
    private static final DateTimeFormatter OTHER_DAY = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT);

    /** Uses the current time and the time zone of this machine. */
    public static DisplayText here() {
        return new DisplayText(Instant.now(), ZoneId.systemDefault());
    }

    /** {@code 17:20:05}, or {@code 2026-11-20 17:20} on another day. */
    public String clock(Instant time) {
        ZonedDateTime local = time.atZone(zone);
        boolean today = local.toLocalDate().equals(now.atZone(zone).toLocalDate());
        return local.format(today ? TODAY : OTHER_DAY);
    }

    /** How long ago: {@code 12 s}, {@code 3 min 5 s}, {@code 2 h 10 min}. A time in the future is {@code 0 s}. */
    public String ago(Instant time) {
        long seconds = Math.max(0, Duration.between(time, now).toSeconds());
        if (seconds < 60) {
            return seconds + " s";
        }
        return seconds < 3600
                ? seconds / 60 + " min " + seconds % 60 + " s"
                : seconds / 3600 + " h " + seconds % 3600 / 60 + " min";
    }

    /** {@code ok}, or the problems that npu-smi and the pool report for a device. */
    public String health(Optional<NpuDevice> npu, DeviceHealth pool) {
        List<String> parts = new ArrayList<>();
        npu.filter(device ->
                        device.health() != NpuHealth.OK && !device.healthText().isEmpty())
                .ifPresent(device -> parts.add("npu-smi: " + plain(device.healthText())));
        if (!(pool instanceof DeviceHealth.Sound)) {
            parts.add(held(pool));
        }
        return parts.isEmpty() ? "ok" : String.join("; ", parts);
    }

    /** {@code quarantined until 17:20:05: the probe ended with status 1}; empty if the device is sound. */
    public String held(DeviceHealth health) {
        if (health instanceof DeviceHealth.Quarantined quarantined) {
            return "quarantined until " + clock(quarantined.until()) + ": " + plain(quarantined.reason());
        }
        return health instanceof DeviceHealth.Suspect suspect ? "suspect: " + plain(suspect.reason()) : "";
    }

    /** {@code pid 4711 (ada)}. */
    public static String process(OwnerRecord owner) {
        return "pid " + owner.pid() + " (" + plain(owner.user()) + ")";
    }

    /** Returns the text on one line, without control characters for a terminal: records may come from other users. */
    public static String plain(String text) {
        return text.replaceAll("[\\s\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]+", " ").strip();
    }
}
