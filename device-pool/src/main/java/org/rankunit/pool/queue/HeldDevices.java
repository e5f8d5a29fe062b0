package org.rankunit.pool.queue;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.apiguardian.api.API;
import org.rankunit.pool.health.DeviceHealth;
import org.rankunit.pool.health.HealthFile;
import org.rankunit.pool.lock.LockFile;
import org.rankunit.pool.lock.OwnerFile;
import org.rankunit.pool.lock.OwnerRecord;
import org.rankunit.pool.lock.PoolFiles;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Devices of one platform that this JVM has locked for one request, with their records. Thread-safe. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class HeldDevices {

    private final PoolFiles files;
    private final String platform;
    private final SortedMap<Integer, LockFile> locks;
    private final List<Integer> devices;
    private volatile OwnerRecord owner;

    /** @param locks already locked; from now on only {@link #giveBack} unlocks them */
    HeldDevices(PoolFiles files, String platform, OwnerRecord owner, SortedMap<Integer, LockFile> locks) {
        this.files = files;
        this.platform = platform;
        this.owner = owner;
        this.locks = locks;
        this.devices = List.copyOf(locks.keySet());
    }

    /** The device ids in ascending order. */
    public List<Integer> devices() {
        return devices;
    }

    public String platform() {
        return platform;
    }

    /** The owner record that other processes read. */
    public OwnerRecord owner() {
        return owner;
    }

    /** Replace the record that other processes read: what the devices are held for, and how much longer at most. */
    public void renew(String test, Optional<Duration> atMost) {
        owner = owner.renewed(test, atMost, Instant.now());
        byte[] encoded = OwnerFile.encode(owner);
        for (int device : devices) {
            try {
                files.ownerFile(platform, device).write(encoded);
            } catch (IOException e) {
                log().debug("device {} of {}: its record stays as it was", device, platform, e);
            }
        }
    }

    /**
     * Unlock the devices; call once. The caller then notifies the queue.
     *
     * @param suspicions the suspicions by device; all other devices are recorded as sound
     */
    public void giveBack(Map<Integer, DeviceHealth.Suspect> suspicions) {
        locks.forEach((device, lock) -> giveBack(device, lock, suspicions));
    }

    /** Updates the records first: once the lock is free, the files belong to the next holder. */
    private void giveBack(int device, LockFile lock, Map<Integer, DeviceHealth.Suspect> suspicions) {
        try {
            DeviceHealth.Suspect suspicion = suspicions.get(device);
            HealthFile.of(files, platform, device).write(suspicion == null ? new DeviceHealth.Sound() : suspicion);
            files.ownerFile(platform, device).delete();
        } catch (IOException e) {
            log().warn("device {} of {}: its records stay as they were: {}", device, platform, e.toString());
        } finally {
            lock.unlock();
        }
    }

    /** Created only when there is something to log: without a provider, slf4j prints a warning for the first logger. */
    private static Logger log() {
        return LoggerFactory.getLogger(HeldDevices.class);
    }
}
