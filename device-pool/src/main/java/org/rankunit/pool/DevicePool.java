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

    /** When those who wait are told for the first time what for; then after twice the time, and so on. */
    private static final Duration FIRST_WORD = Duration.ofSeconds(5);

    /** How often it is looked whether devices have come into quarantine that a request cannot do without. */
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
     * Open the pool in the configured folder, which is created for its owner alone if it is absent.
     *
     * @throws PoolException if the folder cannot be created, is no folder, is a symbolic link, cannot be read and
     *     written, or belongs to somebody else or can be written by others without being meant for its group; the message
     *     names it and {@code rankunit.pool-dir}
     */
    public static DevicePool open(PoolConfig config) {
        return new DevicePool(config, PoolFiles.at(PoolFolder.prepare(config.folder())));
    }

    /** Name the folder, free of symbolic links. */
    public Path folder() {
        return files.path();
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
     * Say why a request can never be granted, whoever gives back what.
     *
     * @return one line with the numbers; empty if it can
     * @throws PoolException if the platform is not known
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

    /** Do as {@link #lease(LeaseRequest, Duration, Consumer)}, and tell nobody of a long wait. */
    public DeviceLease lease(LeaseRequest request, Duration timeout) throws InterruptedException {
        return lease(request, timeout, text -> {});
    }

    /**
     * Lease as many devices as requested, all at once, and wait for them if need be.
     *
     * <p>All requests on the machine that wait for devices of a platform stand in one queue, first come, first served. One further
     * back overtakes only where the head loses nothing by it: on devices that the head will not need, or if it says that
     * its lease ends before the head's turn. Of the free devices those are taken that the topology makes the best set,
     * sound ones if there are enough. A suspect device is probed first, if the pool has a probe.
     *
     * @param timeout how long to wait; zero or less tries once
     * @param waits hears on the calling thread, after 5, 10, 20, 40 ... seconds, a line such as
     *     {@code waiting 10 s for 4 devices of a2a3: 0-3 held by pid 4711 (AllReduceTest) since ...}
     * @throws NeverFitsException at once, if the platform has too few devices, or its topology forbids that number
     * @throws QuarantineException if so many devices are in quarantine that the rest cannot do, for longer than the timeout
     * @throws LeaseTimeoutException if the devices were not to be had in time, or another process kept the pool's lock,
     *     which all attempts need; the message names the holders and those who came earlier
     * @throws PoolException if the platform is not known or the folder's files cannot be used
     * @throws InterruptedException if the thread is interrupted before it has the devices; it holds none then
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

    /** Try now and then, where there is no room for a ticket: nobody else can stand in line then either. */
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

    /** Leave the queue, and give back what came at the last moment if nobody is there to take it. */
    private void quit(PlatformQueue.Waiter waiter, PlatformQueue queue, boolean kept) {
        queue.quit(waiter);
        if (!kept) {
            lease(waiter, queue).ifPresent(DeviceLease::close);
        }
        if (!waiter.isServed() || !kept) {
            // Where the mutex cannot be locked, the ticket is passed over until somebody of this JVM comes by.
            files.mutex().tryHolding(queue::tidy);
        }
    }

    private static Optional<DeviceLease> lease(PlatformQueue.Waiter waiter, PlatformQueue queue) {
        return waiter.devices().map(devices -> new DeviceLease(devices, queue));
    }

    /** Lease if nobody waits and the devices are free. For the holder of the mutex. */
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
     * Lease as many devices as requested if they can be had now, which may overtake those who wait only as
     * {@link #lease(LeaseRequest, Duration, Consumer)} does.
     *
     * <p>Does not wait for devices or probe any, and does its work on an interrupted thread too.
     *
     * @return empty if the devices cannot be had now
     * @throws NeverFitsException if the platform has too few devices, or its topology forbids that number
     * @throws LeaseTimeoutException if another process keeps the pool's lock, which all attempts need, for 1 s
     * @throws PoolException if the platform is not known or the folder's files cannot be used
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
     * Look at each device of a platform.
     *
     * <p>Leases nothing and changes no device's files. Whether another process holds a device is asked by trying its
     * lock for an instant, and only under the pool's lock, under which attempts to lease try them too: such an attempt may come
     * some microseconds later for it, but is never refused a free device.
     *
     * @return one status per device, in the order of the ids
     * @throws LeaseTimeoutException if another process keeps the pool's lock, which all attempts need, for 1 s
     * @throws PoolException if the platform is not known or the folder's files cannot be used
     */
    public List<DeviceStatus> status(String platform) {
        return view.devices(inventory(platform));
    }

    /**
     * Say whether anybody waits for devices of a platform, in whatever process; holders who can do without theirs may ask
     * now and then.
     *
     * <p>Looks at the size of one file, so it may be out of date, and does not tell whether this process could help.
     */
    public boolean isAwaited(String platform) {
        return !queues.queue(platform).isEmpty();
    }

    /**
     * Look at all who wait for devices of a platform, in whatever process; those who came first are at the front.
     *
     * @throws LeaseTimeoutException if another process keeps the pool's lock, which all attempts need, for 1 s
     * @throws PoolException if the platform is not known or the folder's files cannot be used
     */
    public List<WaitingRequest> queue(String platform) {
        return view.waiting(inventory(platform), Long.MAX_VALUE);
    }

    /**
     * Forget what is held against a device: it is lent like any other from now on.
     *
     * @return what was held against it
     * @throws IllegalArgumentException if it is not of this pool
     * @throws PoolException if the platform is not known or the folder's files cannot be used
     */
    public DeviceHealth clear(String platform, int device) {
        refuseStranger(platform, device);
        return care.clear(platform, device);
    }

    /**
     * Probe a device that nobody holds, and note what was found: it is sound, or in quarantine.
     *
     * @return empty if somebody holds the device, and then nothing was done
     * @throws IllegalArgumentException if the device is not of this pool
     * @throws IllegalStateException if the pool has no probe
     * @throws PoolException if the platform is not known or the folder's files cannot be used
     */
    public Optional<DeviceHealth> probe(String platform, int device) {
        refuseStranger(platform, device);
        DeviceProbe probe = config.probe().orElseThrow(() -> new IllegalStateException("this pool has no probe"));
        return care.probe(platform, device, probe, config.quarantine());
    }

    private void refuseStranger(String platform, int device) {
        if (!inventory(platform).devices().contains(device)) {
            throw new IllegalArgumentException("device " + device + " is not of this pool, which has "
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

    /** A request that only the end of a quarantine could grant is told so now rather than at its timeout. */
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
                    + ".\nMend it and take it out of quarantine with \"rankunit clear\", or use other devices.");
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
