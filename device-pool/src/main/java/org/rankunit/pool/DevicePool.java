package org.rankunit.pool;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apiguardian.api.API;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lease devices so that no two holders on the machine share one.
 *
 * <p>Everybody who opens the same folder takes part, whatever process they are in:
 *
 * <pre>{@code
 * DevicePool pool = DevicePool.open(PoolConfig.defaults());
 * try (DeviceLease lease = pool.lease(new LeaseRequest("a2a3sim", 4, "AllReduceTest"), ofSeconds(30))) {
 *     run(lease.devices());
 * }
 * }</pre>
 *
 * <p>A device is held by an OS lock on {@code <folder>/<platform>/<id>.lock}, so the kernel frees the devices of a
 * process that dies. Locks work between processes of one machine: the folder must be on a local file system, and nobody
 * may remove its files while devices are held.
 *
 * <p>A pool keeps nothing open of its own and need not be closed. Thread-safe.
 *
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class DevicePool {

    private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(20);

    /** How long the gate may take for calls that are not meant to wait; it is held for less than a millisecond. */
    private static final Duration GATE_PATIENCE = Duration.ofSeconds(1);

    private final PoolConfig config;
    private final SharedFolder folder;

    private DevicePool(PoolConfig config, SharedFolder folder) {
        this.config = config;
        this.folder = folder;
    }

    /**
     * Open the pool in the configured folder, which is created for its owner alone if it is absent.
     *
     * @throws PoolException if the folder cannot be created, is no folder, is a symbolic link, cannot be read and
     *     written, belongs to somebody else or can be written by others; the message names it and
     *     {@code rankunit.pool-dir}
     */
    public static DevicePool open(PoolConfig config) {
        return new DevicePool(config, SharedFolder.at(PoolFolder.prepare(config.folder())));
    }

    /**
     * Return the devices this pool may lease on a platform, held or not.
     *
     * @throws PoolException if the platform is not one of the configured ones, which the message names
     */
    public Inventory inventory(String platform) {
        Inventory inventory = config.inventories().get(platform);
        if (inventory == null) {
            throw new PoolException("platform \"" + platform + "\" is not known to this pool.\nIt knows "
                    + (config.inventories().isEmpty()
                            ? "none"
                            : String.join(", ", config.inventories().keySet()))
                    + ".");
        }
        return inventory;
    }

    /**
     * Lease as many devices as requested, all at once, and wait for them if need be.
     *
     * <p>The lowest free run of neighbouring ids is taken, or else the lowest free ids. Waiting threads of one JVM are
     * served in the order they came, per platform. Waiting processes try again every 2 to 20 ms, at random and
     * increasingly rarely, so none of them has precedence. Devices given back in the same JVM are noticed at once.
     *
     * @param timeout how long to wait; zero or less tries once
     * @throws NeverFitsException at once, if the platform has fewer devices than that
     * @throws LeaseTimeoutException if the devices were not to be had in time, or another process blocked the gate
     *     through which all attempts pass; the message names the holders
     * @throws PoolException if the platform is not known or the folder's files cannot be used
     * @throws InterruptedException if the thread is interrupted before it has the devices; it holds none then
     */
    public DeviceLease lease(LeaseRequest request, Duration timeout) throws InterruptedException {
        Inventory inventory = fitting(request);
        Deadline deadline = Deadline.after(timeout);
        WaitingLine line = folder.line(request.platform());
        if (line.length() == 0) {
            Optional<DeviceLease> atOnce = attempt(request, inventory, deadline, timeout);
            if (atOnce.isPresent()) {
                return atOnce.get();
            }
        }
        WaitingLine.Place place = line.join();
        try {
            return leaseFromLine(request, inventory, deadline, timeout, line, place);
        } finally {
            line.leave(place);
        }
    }

    private DeviceLease leaseFromLine(
            LeaseRequest request,
            Inventory inventory,
            Deadline deadline,
            Duration timeout,
            WaitingLine line,
            WaitingLine.Place place)
            throws InterruptedException {
        if (!line.awaitTurn(place, deadline)) {
            throw timedOut(request, timeout, line.length() - 1);
        }
        log().debug("{} waits for {} of {}", request.test(), request.devicesInWords(), request.platform());
        Backoff backoff = new Backoff(FIRST_PAUSE, LONGEST_PAUSE);
        while (true) {
            long releasesSeen = line.releases();
            Optional<DeviceLease> lease = attempt(request, inventory, deadline, timeout);
            if (lease.isPresent()) {
                return lease.get();
            }
            if (deadline.hasPassed()) {
                throw timedOut(request, timeout, 0);
            }
            line.awaitRelease(releasesSeen, Math.min(backoff.nextNanos(), deadline.nanosLeft()));
        }
    }

    /**
     * Lease as many devices as requested if they are free now and no thread of this JVM is waiting for the platform.
     *
     * <p>Does not wait for devices, and does its work on an interrupted thread too.
     *
     * @return empty if the devices cannot be had now
     * @throws NeverFitsException if the platform has fewer devices than that
     * @throws LeaseTimeoutException if another process blocks the gate, through which all attempts pass, for 1 s
     * @throws PoolException if the platform is not known or the folder's files cannot be used
     */
    public Optional<DeviceLease> tryLease(LeaseRequest request) {
        Inventory inventory = fitting(request);
        if (folder.line(request.platform()).length() > 0) {
            return Optional.empty();
        }
        return Uninterruptibly.await(() -> attempt(request, inventory, Deadline.after(GATE_PATIENCE), GATE_PATIENCE));
    }

    /**
     * Look at each device of a platform.
     *
     * <p>Leases nothing and changes no device's files. Whether another process holds a device is asked by trying its
     * lock for an instant, and only inside the gate, where attempts to lease try them too: such an attempt may come
     * some microseconds later for it, but is never refused a free device.
     *
     * @return one status per device, in the order of the ids
     * @throws LeaseTimeoutException if another process blocks the gate, through which all attempts pass, for 1 s
     * @throws PoolException if the platform is not known or the folder's files cannot be used
     */
    public List<DeviceStatus> status(String platform) {
        Inventory inventory = inventory(platform);
        return Uninterruptibly.await(() -> {
            enterGate(Deadline.after(GATE_PATIENCE), GATE_PATIENCE);
            try {
                folder.checkPlatform(platform);
                return inventory.devices().stream()
                        .map(device -> look(platform, device))
                        .toList();
            } finally {
                folder.gate().leave();
            }
        });
    }

    private DeviceStatus look(String platform, int device) {
        Optional<Suspicion> suspicion = folder.suspicionFile(platform, device).read();
        return folder.lockFile(platform, device).isHeld()
                ? new DeviceStatus(
                        device,
                        DeviceState.HELD,
                        folder.ownerFile(platform, device).read(),
                        suspicion)
                : new DeviceStatus(device, DeviceState.FREE, Optional.empty(), suspicion);
    }

    private Inventory fitting(LeaseRequest request) {
        Inventory inventory = inventory(request.platform());
        if (request.count() > inventory.devices().size()) {
            throw new NeverFitsException(request, inventory);
        }
        return inventory;
    }

    private Optional<DeviceLease> attempt(
            LeaseRequest request, Inventory inventory, Deadline deadline, Duration timeout)
            throws InterruptedException {
        enterGate(deadline, timeout);
        try {
            return new LeaseAttempt(folder, inventory, request).make();
        } finally {
            folder.gate().leave();
        }
    }

    private void enterGate(Deadline deadline, Duration timeout) throws InterruptedException {
        if (!folder.gate().enter(deadline)) {
            throw folder.gate().waitedInVain(timeout);
        }
    }

    private LeaseTimeoutException timedOut(LeaseRequest request, Duration timeout, int threadsAhead) {
        return new LeaseTimeoutException(WaitText.of(request, timeout, status(request.platform()), threadsAhead));
    }

    /** Asked for only when there is something to say: without a provider, slf4j complains at the first logger. */
    private static Logger log() {
        return LoggerFactory.getLogger(DevicePool.class);
    }
}
