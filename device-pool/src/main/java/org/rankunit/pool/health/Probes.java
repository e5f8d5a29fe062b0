package org.rankunit.pool.health;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.pool.lock.LockFile;
import org.rankunit.pool.lock.OwnerRecord;
import org.rankunit.pool.lock.PoolFiles;
import org.slf4j.LoggerFactory;

/**
 * Probes suspect devices, each on its own thread, while holding the device's lock. Holds no state except its
 * constructor arguments.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Probes {

    private final PoolFiles files;
    private final String platform;
    private final Runnable released;

    /** @param released called when a probed device is available again */
    public Probes(PoolFiles files, String platform, Runnable released) {
        this.files = files;
        this.platform = platform;
        this.released = released;
    }

    /** Probe a device that this JVM has locked, in the background; unlocks it afterwards. */
    public void begin(int device, LockFile lock, DeviceProbe probe, Duration quarantine) {
        Thread thread = new Thread(
                () -> {
                    try {
                        probe(device, probe, quarantine);
                    } finally {
                        end(device, lock);
                    }
                },
                "rankunit-probe-" + platform + "-" + device);
        thread.setDaemon(true);
        thread.start();
    }

    /** Probe a device that this JVM has locked, and record the result. */
    public DeviceHealth probe(int device, DeviceProbe probe, Duration quarantine) {
        DeviceHealth health;
        try {
            Instant now = Instant.now();
            Optional<String> wrong = probe.probe(platform, device);
            health = wrong.isEmpty()
                    ? new DeviceHealth.Sound()
                    : new DeviceHealth.Quarantined(wrong.get(), now, now.plus(quarantine));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return HealthFile.of(files, platform, device).read();
        }
        try {
            HealthFile.of(files, platform, device).write(health);
        } catch (IOException e) {
            LoggerFactory.getLogger(Probes.class)
                    .warn(
                            "device {} of {}: the result of its probe cannot be recorded: {}",
                            device,
                            platform,
                            e.toString());
        }
        if (health instanceof DeviceHealth.Quarantined quarantined) {
            LoggerFactory.getLogger(Probes.class)
                    .warn(
                            "device {} of {} is in quarantine until {}: {}",
                            device,
                            platform,
                            quarantined.until(),
                            quarantined.reason());
        }
        return health;
    }

    public void end(int device, LockFile lock) {
        try {
            files.ownerFile(platform, device).delete();
        } catch (IOException e) {
            LoggerFactory.getLogger(Probes.class)
                    .warn(
                            "device {} of {}: the record of its probe cannot be removed: {}",
                            device,
                            platform,
                            e.toString());
        } finally {
            lock.unlock();
            released.run();
        }
    }

    /** The owner record that others see while a device is probed. */
    public static OwnerRecord owner(int device, DeviceProbe probe) {
        return OwnerRecord.ofThisProcess("probe of device " + device, Instant.now(), Optional.of(probe.limit()));
    }
}
