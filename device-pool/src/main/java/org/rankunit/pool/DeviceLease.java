package org.rankunit.pool;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apiguardian.api.API;
import org.rankunit.pool.health.DeviceHealth;
import org.rankunit.pool.inventory.DeviceList;
import org.rankunit.pool.lock.OwnerRecord;
import org.rankunit.pool.queue.HeldDevices;
import org.rankunit.pool.queue.PlatformQueue;

/**
 * Hold devices of one platform until the lease is closed or the process ends, however it ends.
 *
 * <p>While the lease is open, no other lease from the same pool folder on this machine holds any of these devices. The
 * lease belongs to this process: child processes may use the devices while the lease is open, but do not keep them
 * held. Thread-safe.
 *
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class DeviceLease implements AutoCloseable {

    private final HeldDevices held;
    private final PlatformQueue queue;
    private final Map<Integer, DeviceHealth.Suspect> suspicions = new ConcurrentHashMap<>();
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * @param held the devices; only this lease gives them back
     * @param queue to notify after the devices are given back
     */
    DeviceLease(HeldDevices held, PlatformQueue queue) {
        this.held = held;
        this.queue = queue;
    }

    /** Return the device ids in ascending order, unchanged after the lease is closed. */
    public List<Integer> devices() {
        return held.devices();
    }

    /** Return the name of the devices' platform. */
    public String platform() {
        return held.platform();
    }

    /** Return the record that other processes see while the lease is open. */
    public OwnerRecord owner() {
        return held.owner();
    }

    /**
     * Update what the lease is for and how much longer it will take at most; does nothing once the lease is closed.
     *
     * @param test the new purpose, shown to people in other processes' messages; not blank
     * @param atMost the longest time from now on; empty if unknown
     * @throws IllegalArgumentException if a value is out of range; the message names it
     */
    public synchronized void renew(String test, Optional<Duration> atMost) {
        LeaseRequest.check(test, atMost);
        if (!closed.get()) {
            held.renew(test, atMost);
        }
    }

    /**
     * Report that one of the devices may be faulty, for example because the process that used it was killed.
     *
     * <p>Closing the lease records this for all users of the pool ({@link DeviceStatus#health}). A pool with a probe
     * then probes the device before it leases it again. A pool without a probe leases it only after all other devices,
     * and closing a later lease without such a report clears the suspicion. If a device is reported several times, the
     * first report is kept.
     *
     * @throws IllegalArgumentException if the lease does not hold the device
     */
    public void suspect(int device, String reason) {
        if (!devices().contains(device)) {
            throw new IllegalArgumentException(
                    "device " + device + " does not belong to this lease, which has " + devices());
        }
        suspicions.putIfAbsent(device, new DeviceHealth.Suspect(reason, Instant.now()));
    }

    /**
     * Give the devices back; the second and later calls do nothing.
     *
     * <p>Never waits for another process, and also works on an interrupted thread.
     */
    @Override
    public synchronized void close() {
        if (closed.getAndSet(true)) {
            return;
        }
        try {
            held.giveBack(suspicions);
        } finally {
            queue.released();
        }
    }

    @Override
    public String toString() {
        return "DeviceLease[" + DeviceList.format(devices()) + " of " + platform() + (closed.get() ? ", closed]" : "]");
    }
}
