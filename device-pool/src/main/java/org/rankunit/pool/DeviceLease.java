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

    private final HeldDevices held;
    private final PlatformQueue queue;
    private final Map<Integer, DeviceHealth.Suspect> suspicions = new ConcurrentHashMap<>();
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * @param held given back by this lease alone
     * @param queue to tell when that is done
     */
    DeviceLease(HeldDevices held, PlatformQueue queue) {
        this.held = held;
        this.queue = queue;
    }

    /** Name the devices, ascending; the same after the lease is closed. */
    public List<Integer> devices() {
        return held.devices();
    }

    /** Name the platform the devices are on. */
    public String platform() {
        return held.platform();
    }

    /** Return the record that other processes see while the lease is open. */
    public OwnerRecord owner() {
        return held.owner();
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
        if (!closed.get()) {
            held.renew(test, atMost);
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
        if (!devices().contains(device)) {
            throw new IllegalArgumentException("device " + device + " is not of this lease, which has " + devices());
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
