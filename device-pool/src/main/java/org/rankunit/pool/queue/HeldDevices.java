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

    /** @param locks locked, and from here on unlocked by {@link #giveBack} alone */
    HeldDevices(PoolFiles files, String platform, OwnerRecord owner, SortedMap<Integer, LockFile> locks) {
        this.files = files;
        this.platform = platform;
        this.owner = owner;
        this.locks = locks;
        this.devices = List.copyOf(locks.keySet());
    }

    /** The devices, ascending. */
    public List<Integer> devices() {
        return devices;
    }

    public String platform() {
        return platform;
    }

    /** What other processes read about the holder. */
    public OwnerRecord owner() {
        return owner;
    }

    /** Replace what other processes read: for what the devices are held, and for how long at most from now on. */
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
     * Unlock the devices, once; the caller then tells the queue.
     *
     * @param suspicions what is held against some of them; all others are noted as sound
     */
    public void giveBack(Map<Integer, DeviceHealth.Suspect> suspicions) {
        locks.forEach((device, lock) -> giveBack(device, lock, suspicions));
    }

    /** The records go first: once the lock is free, the file belongs to the next holder. */
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

    /** Asked for only when there is something to say: without a provider, slf4j complains at the first logger. */
    private static Logger log() {
        return LoggerFactory.getLogger(HeldDevices.class);
    }
}
