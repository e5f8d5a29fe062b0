package org.rankunit.pool;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apiguardian.api.API;
import org.rankunit.pool.health.DeviceHealth;
import org.rankunit.pool.health.DeviceProbe;
import org.rankunit.pool.health.HealthFile;
import org.rankunit.pool.inventory.DeviceChoice;
import org.rankunit.pool.inventory.DeviceList;
import org.rankunit.pool.inventory.Inventory;
import org.rankunit.pool.lock.Deadline;
import org.rankunit.pool.lock.PoolException;
import org.rankunit.pool.lock.PoolFiles;
import org.rankunit.pool.lock.PoolFolder;
import org.rankunit.pool.queue.DeviceLocks;
import org.rankunit.pool.queue.LeaseAttempt;
import org.rankunit.pool.queue.NoPlaceException;
import org.rankunit.pool.queue.PlatformQueue;
import org.rankunit.pool.queue.PlatformQueues;
import org.rankunit.pool.queue.ResolvedRequest;

/**
 * Lease devices so that no two holders on the machine share one.
 *
 * <p>All processes that open the same folder share the pool:
 *
 * <pre>{@code
 * DevicePool pool = DevicePool.open(PoolConfig.defaults());
 * try (DeviceLease lease = pool.lease(new LeaseRequest("a2a3sim", 4, "AllReduceTest"), ofSeconds(30))) {
 *     run(lease.devices());
 * }
 * }</pre>
 *
 * <p>A device is held by an OS lock on {@code <folder>/<platform>/<id>.lock}, so the kernel frees the devices of a
 * process that dies. The locks work only between processes of one machine: the folder must be on a local file system,
 * and its files must not be removed while devices are held.
 *
 * <p>A pool has no resources of its own to release and need not be closed. Thread-safe.
 *
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class DevicePool {

    /**
     * Waiting time before the first report to a waiting caller; each further report comes at twice the time waited so
     * far.
     */
    private static final Duration FIRST_WORD = Duration.ofSeconds(5);

    /** How often a waiting request checks whether quarantines have made it impossible, in nanoseconds. */
    private static final long LOOK_AT_HEALTH = TimeUnit.MILLISECONDS.toNanos(500);

    private static final long TRY_WITHOUT_PLACE = TimeUnit.MILLISECONDS.toNanos(20);

    private final PoolConfig config;
    private final PoolFiles files;
    private final PlatformQueues queues;
    private final PoolView view;
    private final DeviceCare care;
    private final Map<String, DeviceChoice> choices = new ConcurrentHashMap<>();

    private DevicePool(PoolConfig config, PoolFiles files) {
        this.config = config;
        this.files = files;
        this.queues = PlatformQueues.of(files);
        this.view = new PoolView(files, queues);
        this.care = new DeviceCare(files, queues);
    }

    /**
     * Open the pool in the configured folder. If the folder does not exist, it is created with access for its owner
     * only.
     *
     * @throws PoolException if the folder cannot be created, is not a folder, is a symbolic link, cannot be read and
     *     written, or is not set up for sharing with its group but belongs to another user or is writable by others;
     *     the message names the folder and {@code rankunit.pool-dir}
     */
    public static DevicePool open(PoolConfig config) {
        return new DevicePool(config, PoolFiles.at(PoolFolder.prepare(config.folder())));
    }

    /** Return the folder's path with symbolic links resolved. */
    public Path folder() {
        return files.path();
    }

    /**
     * Return the devices this pool may lease on a platform, held or not.
     *
     * @throws PoolException if the platform is not configured; the message lists the configured ones
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
     * Return the reason why a request can never be granted, even with all devices free.
     *
     * @return one line with the numbers; empty if the request can be granted
     * @throws PoolException if the platform is unknown
     */
    public Optional<String> whyNever(LeaseRequest request) {
        return choice(request.platform())
                .whyNever(request.count())
                .or(() -> eligible(request)
                        .whyNever(request.count())
                        .map(why -> why + " excluding " + DeviceList.format(List.copyOf(request.avoided()))));
    }

    private DeviceChoice choice(String platform) {
        return choices.computeIfAbsent(platform, name -> new DeviceChoice(inventory(name)));
    }

    /** Do the same as {@link #lease(LeaseRequest, Duration, Consumer)}, without reports of a long wait. */
    public DeviceLease lease(LeaseRequest request, Duration timeout) throws InterruptedException {
        return lease(request, timeout, text -> {});
    }

    /**
     * Lease as many devices as requested, all at once, waiting for them if necessary.
     *
     * <p>All requests on the machine that wait for devices of one platform share one first-come, first-served queue. A
     * later request may overtake only if that does not delay the head of the queue: if it uses devices that the head
     * will not need, or states that its lease ends before the head's turn. From the free devices the pool picks the
     * best set according to the topology, using only sound devices if there are enough. A suspect device is probed
     * first if the pool has a probe.
     *
     * @param timeout how long to wait; with zero or less the pool tries once
     * @param waits called on the calling thread after about 5, 10, 20, 40 ... seconds, with a line such as
     *     {@code waiting 10 s for 4 devices of a2a3: 0-3 held by pid 4711 (AllReduceTest) since ...}
     * @throws NeverFitsException immediately, if the platform has too few devices or its topology does not allow that
     *     number
     * @throws QuarantineException if too many devices are in quarantine for longer than the timeout, so that the rest
     *     cannot satisfy the request
     * @throws LeaseTimeoutException if the devices did not become available in time, or another process kept holding
     *     the pool's lock, which every attempt needs; the message names the holders of the devices and the earlier
     *     requests
     * @throws PoolException if the platform is unknown or the folder's files cannot be used
     * @throws InterruptedException if the thread is interrupted before it has the devices; it then holds none
     */
    public DeviceLease lease(LeaseRequest request, Duration timeout, Consumer<String> waits)
            throws InterruptedException {
        ResolvedRequest resolved = resolve(request);
        Deadline deadline = Deadline.after(timeout);
        PlatformQueue queue = queues.queue(request.platform());
        PlatformQueue.Waiter waiter;
        try {
            lockMutex(deadline, timeout);
            try {
                Optional<DeviceLease> atOnce = atOnce(resolved, queue);
                if (atOnce.isPresent()) {
                    return atOnce.get();
                }
                waiter = queue.join(resolved);
            } finally {
                files.mutex().unlock();
            }
        } catch (NoPlaceException e) {
            return leaseWithoutPlace(resolved, queue, deadline, e);
        }
        boolean kept = false;
        try {
            awaitTurn(request, resolved, waiter, queue, deadline, waits);
            kept = true;
        } finally {
            quit(waiter, queue, kept);
        }
        return lease(waiter, queue).orElseThrow(() -> timedOut(request, timeout, waiter));
    }

    /** Retry periodically if there is no room for a ticket; no other request can join the queue then either. */
    private DeviceLease leaseWithoutPlace(
            ResolvedRequest request, PlatformQueue queue, Deadline deadline, NoPlaceException why)
            throws InterruptedException {
        Optional<DeviceLease> lease = Optional.empty();
        while (lease.isEmpty() && !deadline.hasPassed()) {
            TimeUnit.NANOSECONDS.sleep(Math.min(TRY_WITHOUT_PLACE, deadline.nanosLeft()));
            lease = MutexWait.holding(files.mutex(), () -> atOnce(request, queue));
        }
        return lease.orElseThrow(() -> why);
    }

    private void awaitTurn(
            LeaseRequest request,
            ResolvedRequest resolved,
            PlatformQueue.Waiter waiter,
            PlatformQueue queue,
            Deadline deadline,
            Consumer<String> waits)
            throws InterruptedException {
        long begin = System.nanoTime();
        long nextWord = FIRST_WORD.toNanos();
        while (!waiter.isServed() && !deadline.hasPassed()) {
            refuseIfQuarantined(resolved, deadline);
            queue.await(waiter, Deadline.after(deadline, LOOK_AT_HEALTH));
            long waited = System.nanoTime() - begin;
            if (!waiter.isServed() && !deadline.hasPassed() && waited >= nextWord) {
                waits.accept("waiting " + inTheWay(request, Duration.ofNanos(waited), waiter));
                nextWord = 2 * waited;
            }
        }
    }

    /**
     * Leave the queue, and give back devices that were assigned at the last moment if the caller no longer takes them.
     */
    private void quit(PlatformQueue.Waiter waiter, PlatformQueue queue, boolean kept) {
        queue.quit(waiter);
        if (!kept) {
            lease(waiter, queue).ifPresent(DeviceLease::close);
        }
        if (!waiter.isServed() || !kept) {
            // If the mutex cannot be locked, the ticket is skipped until another thread of this JVM removes it.
            files.mutex().tryHolding(queue::tidy);
        }
    }

    private static Optional<DeviceLease> lease(PlatformQueue.Waiter waiter, PlatformQueue queue) {
        return waiter.devices().map(devices -> new DeviceLease(devices, queue));
    }

    /** Lease if no request is waiting and the devices are free. The caller must hold the mutex. */
    private Optional<DeviceLease> atOnce(ResolvedRequest request, PlatformQueue queue) {
        files.preparePlatform(request.platform());
        if (!queue.isEmpty()) {
            return Optional.empty();
        }
        try (DeviceLocks locks = new DeviceLocks(files, request.platform())) {
            return new LeaseAttempt(locks, request).make().map(devices -> new DeviceLease(devices, queue));
        }
    }

    /**
     * Lease as many devices as requested if they are available now. May overtake waiting requests only under the rules
     * of {@link #lease(LeaseRequest, Duration, Consumer)}.
     *
     * <p>Does not wait for devices or probe any, and also works on an interrupted thread.
     *
     * @return the lease; empty if the devices are not available now
     * @throws NeverFitsException if the platform has too few devices or its topology does not allow that number
     * @throws LeaseTimeoutException if another process holds the pool's lock, which every attempt needs, for 1 s
     * @throws PoolException if the platform is unknown or the folder's files cannot be used
     */
    public Optional<DeviceLease> tryLease(LeaseRequest request) {
        ResolvedRequest resolved = resolve(request);
        PlatformQueue queue = queues.queue(request.platform());
        return MutexWait.holding(files.mutex(), () -> {
            Optional<DeviceLease> atOnce = atOnce(resolved, queue);
            if (atOnce.isPresent() || queue.isEmpty()) {
                return atOnce;
            }
            PlatformQueue.Waiter waiter = queue.join(resolved);
            queue.quit(waiter);
            queue.tidy();
            return lease(waiter, queue);
        });
    }

    /**
     * Return the status of each device of a platform.
     *
     * <p>Leases nothing and changes no device's files. To find out whether another process holds a device, this method
     * tries the device's lock for an instant while it holds the pool's lock. Attempts to lease also hold the pool's
     * lock, so this may delay them by some microseconds, but never makes a free device appear held.
     *
     * @return one status per device, in the order of the ids
     * @throws LeaseTimeoutException if another process holds the pool's lock, which every attempt needs, for 1 s
     * @throws PoolException if the platform is unknown or the folder's files cannot be used
     */
    public List<DeviceStatus> status(String platform) {
        return view.devices(inventory(platform));
    }

    /**
     * Return whether any process waits for devices of a platform. A holder that could release its devices may poll
     * this.
     *
     * <p>Only looks at the size of one file, so the answer may be out of date, and it does not mean that devices of
     * this process would help.
     */
    public boolean isAwaited(String platform) {
        return !queues.queue(platform).isEmpty();
    }

    /**
     * Return the requests of all processes that wait for devices of a platform, in order of arrival.
     *
     * @throws LeaseTimeoutException if another process holds the pool's lock, which every attempt needs, for 1 s
     * @throws PoolException if the platform is unknown or the folder's files cannot be used
     */
    public List<WaitingRequest> queue(String platform) {
        return view.waiting(inventory(platform), Long.MAX_VALUE);
    }

    /**
     * Mark a device as sound: it is leased like any other from now on.
     *
     * @return the device's health before the call
     * @throws IllegalArgumentException if the device is not in this pool
     * @throws PoolException if the platform is unknown or the folder's files cannot be used
     */
    public DeviceHealth clear(String platform, int device) {
        refuseStranger(platform, device);
        return care.clear(platform, device);
    }

    /**
     * Probe a device that no lease holds, and record the result: sound, or in quarantine.
     *
     * @return the recorded health; empty if the device is held, in which case nothing was done
     * @throws IllegalArgumentException if the device is not in this pool
     * @throws IllegalStateException if the pool has no probe
     * @throws PoolException if the platform is unknown or the folder's files cannot be used
     */
    public Optional<DeviceHealth> probe(String platform, int device) {
        refuseStranger(platform, device);
        DeviceProbe probe = config.probe().orElseThrow(() -> new IllegalStateException("this pool has no probe"));
        return care.probe(platform, device, probe, config.quarantine());
    }

    private void refuseStranger(String platform, int device) {
        if (!inventory(platform).devices().contains(device)) {
            throw new IllegalArgumentException("device " + device + " does not belong to this pool, which has "
                    + DeviceList.format(inventory(platform).devices()) + " of " + platform + ".");
        }
    }

    private ResolvedRequest resolve(LeaseRequest request) {
        whyNever(request).ifPresent(why -> {
            throw new NeverFitsException(why);
        });
        return new ResolvedRequest(
                request.platform(),
                request.count(),
                request.test(),
                request.expected(),
                eligible(request),
                config.probe(),
                config.quarantine());
    }

    private DeviceChoice eligible(LeaseRequest request) {
        DeviceChoice all = choice(request.platform());
        if (request.avoided().isEmpty()) {
            return all;
        }
        List<Integer> others = all.inventory().devices().stream()
                .filter(device -> !request.avoided().contains(device))
                .toList();
        return new DeviceChoice(
                new Inventory(request.platform(), others, all.inventory().topology()));
    }

    /** Reject a request now, rather than at its timeout, if it could only be granted after a quarantine ends. */
    private void refuseIfQuarantined(ResolvedRequest request, Deadline deadline) {
        String platform = request.platform();
        Instant latest = Instant.now().plusNanos(deadline.nanosLeft());
        BitSet usable = (BitSet) request.choice().all().clone();
        List<String> reasons = new ArrayList<>();
        request.choice().all().stream().forEach(device -> {
            if (HealthFile.of(files, platform, device).read() instanceof DeviceHealth.Quarantined why
                    && why.until().isAfter(latest)) {
                usable.clear(device);
                reasons.add(WaitText.quarantined(device, why));
            }
        });
        if (request.choice().choose(usable, request.count()).isEmpty()) {
            throw new QuarantineException("needs " + DeviceList.inWords(request.count()) + ", " + platform + " has "
                    + usable.cardinality() + " that can be lent: " + String.join(", ", reasons)
                    + ".\nRepair it and take it out of quarantine with \"rankunit clear\", or use other devices.");
        }
    }

    private void lockMutex(Deadline deadline, Duration timeout) throws InterruptedException {
        if (!files.mutex().tryLock(deadline)) {
            throw MutexWait.timedOut(files.mutex(), timeout);
        }
    }

    private LeaseTimeoutException timedOut(LeaseRequest request, Duration timeout, PlatformQueue.Waiter waiter) {
        return new LeaseTimeoutException("waited " + inTheWay(request, timeout, waiter));
    }

    private String inTheWay(LeaseRequest request, Duration waited, PlatformQueue.Waiter waiter) {
        String platform = request.platform();
        return WaitText.of(request, waited, status(platform), view.waiting(inventory(platform), waiter.order()));
    }
}
