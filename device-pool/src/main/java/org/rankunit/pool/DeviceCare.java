package org.rankunit.pool;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.rankunit.pool.health.DeviceHealth;
import org.rankunit.pool.health.DeviceProbe;
import org.rankunit.pool.health.HealthFile;
import org.rankunit.pool.health.Probes;
import org.rankunit.pool.lock.LockFile;
import org.rankunit.pool.lock.OwnerFile;
import org.rankunit.pool.lock.PoolException;
import org.rankunit.pool.lock.PoolFiles;
import org.rankunit.pool.lock.PoolFolder;
import org.rankunit.pool.queue.DeviceLocks;
import org.rankunit.pool.queue.PlatformQueues;

/** Operations that people run on a single device: clear and probe. Thread-safe. */
final class DeviceCare {

    private final PoolFiles files;
    private final PlatformQueues queues;

    DeviceCare(PoolFiles files, PlatformQueues queues) {
        this.files = files;
        this.queues = queues;
    }

    /** Mark a device as sound; returns its health before that. */
    DeviceHealth clear(String platform, int device) {
        DeviceHealth before = MutexWait.holding(files.mutex(), () -> {
            files.preparePlatform(platform);
            HealthFile file = HealthFile.of(files, platform, device);
            DeviceHealth found = file.read();
            try {
                file.write(new DeviceHealth.Sound());
            } catch (IOException e) {
                throw new PoolException(
                        "the health record of device " + device + " of " + platform + " cannot be removed: "
                                + PoolFolder.reason(e) + ".\n" + PoolFolder.WHAT_TO_DO,
                        e);
            }
            return found;
        });
        queues.queue(platform).released();
        return before;
    }

    /** Probe a device and record the result; empty if the device is held. */
    Optional<DeviceHealth> probe(String platform, int device, DeviceProbe probe, Duration quarantine) {
        Probes probes = new Probes(files, platform, queues.queue(platform)::released);
        return lock(platform, device, probe).map(lock -> {
            try {
                return probes.probe(device, probe, quarantine);
            } finally {
                probes.end(device, lock);
            }
        });
    }

    private Optional<LockFile> lock(String platform, int device, DeviceProbe probe) {
        return MutexWait.holding(files.mutex(), () -> {
            files.preparePlatform(platform);
            try (DeviceLocks locks = new DeviceLocks(files, platform)) {
                if (!locks.lock(device)) {
                    return Optional.empty();
                }
                locks.record(device, OwnerFile.encode(Probes.owner(device, probe)));
                return Optional.of(locks.keep(device));
            }
        });
    }
}
