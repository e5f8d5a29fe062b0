package org.rankunit.pool;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apiguardian.api.API;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hold devices of one platform until closed, or until the process ends, however it ends.
 *
 * <p>No other lease on the machine that comes from the same pool folder has any of these devices meanwhile. The lease
 * belongs to this process: child processes may use the devices for as long as the lease is open, but do not keep them.
 * Thread-safe.
 *
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class DeviceLease implements AutoCloseable {

    private final SharedFolder folder;
    private final String platform;
    private volatile OwnerRecord owner;
    private final SortedMap<Integer, LockFile> lockFiles;
    private final List<Integer> devices;
    private final Map<Integer, DeviceHealth.Suspect> suspicions = new ConcurrentHashMap<>();
    private final AtomicBoolean closed = new AtomicBoolean();

    /** @param lockFiles locked, and from here on unlocked by this lease alone */
    DeviceLease(SharedFolder folder, String platform, OwnerRecord owner, SortedMap<Integer, LockFile> lockFiles) {
        this.folder = folder;
        this.platform = platform;
        this.owner = owner;
        this.lockFiles = lockFiles;
        this.devices = List.copyOf(lockFiles.keySet());
    }

    /** Name the devices, ascending; the same after the lease is closed. */
    public List<Integer> devices() {
        return devices;
    }

    /** Name the platform the devices are on. */
    public String platform() {
        return platform;
    }

    /** Return the record that other processes see while the lease is open. */
    public OwnerRecord owner() {
        return owner;
    }

    /**
     * Say anew what the lease is for, and how long it will take at the most from now on; does nothing once it is closed.
     *
     * @param test as people will read it in other processes' messages; not blank
     * @param atMost empty if nobody can say
     * @throws IllegalArgumentException if a value is outside its range; the text names it
     */
    public synchronized void renew(String test, Optional<Duration> atMost) {
        LeaseRequest.check(test, atMost);
        if (closed.get()) {
            return;
        }
        owner = owner.renewed(test, atMost, Instant.now());
        byte[] encoded = OwnerFile.encode(owner);
        for (int device : devices) {
            try {
                folder.ownerFile(platform, device).write(encoded);
            } catch (IOException e) {
                log().debug("device {} of {}: its record stays as it was", device, platform, e);
            }
        }
    }

    /**
     * Say that one of the devices may not be sound, for example because the process that used it was killed.
     *
     * <p>When the lease is closed this is noted for everybody ({@link DeviceStatus#health}). A pool with a probe tries the device
     * before it lends it again; one without lends it after all others, and a lease that is closed without such a word clears
     * it. Of several words the first is kept.
     *
     * @throws IllegalArgumentException if the device is not of this lease
     */
    public void suspect(int device, String reason) {
        if (!devices.contains(device)) {
            throw new IllegalArgumentException("device " + device + " is not of this lease, which has " + devices);
        }
        suspicions.putIfAbsent(device, new DeviceHealth.Suspect(reason, Instant.now()));
    }

    /**
     * Give the devices back; the second and later calls do nothing.
     *
     * <p>Never waits for another process, and does its work on an interrupted thread too.
     */
    @Override
    public synchronized void close() {
        if (closed.getAndSet(true)) {
            return;
        }
        try {
            lockFiles.forEach(this::giveBack);
        } finally {
            folder.queue(platform).released();
        }
    }

    /** The records go first: once the lock is free, the file belongs to the next holder. */
    private void giveBack(int device, LockFile lockFile) {
        try {
            noteHealth(device);
            folder.ownerFile(platform, device).delete();
        } catch (IOException e) {
            log().warn("device {} of {}: its records stay as they were: {}", device, platform, e.toString());
        } finally {
            lockFile.unlock();
        }
    }

    private void noteHealth(int device) throws IOException {
        DeviceHealth.Suspect suspicion = suspicions.get(device);
        folder.healthFile(platform, device).write(suspicion == null ? new DeviceHealth.Sound() : suspicion);
    }

    @Override
    public String toString() {
        return "DeviceLease[" + DeviceList.format(devices) + " of " + platform + (closed.get() ? ", closed]" : "]");
    }

    /** Asked for only when there is something to say: without a provider, slf4j complains at the first logger. */
    private static Logger log() {
        return LoggerFactory.getLogger(DeviceLease.class);
    }
}
