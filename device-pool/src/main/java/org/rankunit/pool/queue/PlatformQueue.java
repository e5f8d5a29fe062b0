package org.rankunit.pool.queue;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.rankunit.pool.inventory.Topology;
import org.rankunit.pool.lock.Backoff;
import org.rankunit.pool.lock.Deadline;
import org.rankunit.pool.lock.OwnerRecord;
import org.rankunit.pool.lock.PoolFiles;
import org.rankunit.pool.lock.PoolFolder;
import org.slf4j.LoggerFactory;

/**
 * The queue of all requests that wait for devices of one platform, in this JVM and in all other processes that use the
 * folder.
 *
 * <p>Each waiting request has a ticket in the shared {@link QueueFile}. At any moment one of this JVM's waiting threads
 * is the driver: it watches for changes, and locks the mutex to serve all requests of this JVM whose turn it is. The
 * others sleep until they are served. Thread-safe.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class PlatformQueue {

    /** Tickets that their process has not stamped for this long are skipped: the process is assumed to be stopped. */
    static final long LEFT_ALONE_MILLIS = 5_000;

    private static final long STAMP_MILLIS = 1_000;

    /**
     * First interval for reading the change signal; a free device may stay idle this long before another process
     * notices.
     */
    private static final long FIRST_GLANCE = TimeUnit.MICROSECONDS.toNanos(200);

    private static final long LAST_GLANCE = TimeUnit.MILLISECONDS.toNanos(1);

    /** How often the locks are checked without a signal, since a killed holder sends none. */
    private static final long UNASKED_LOOK = TimeUnit.MILLISECONDS.toNanos(25);

    /** A waiting request of this JVM. */
    public static final class Waiter {
        private final ResolvedRequest request;
        private final QueueFile.Place place;
        private volatile @Nullable HeldDevices devices;

        private Waiter(ResolvedRequest request, QueueFile.Place place) {
            this.request = request;
            this.place = place;
        }

        public boolean isServed() {
            return devices != null;
        }

        public Optional<HeldDevices> devices() {
            return Optional.ofNullable(devices);
        }

        public long order() {
            return place.ticket().order();
        }
    }

    private final PoolFiles files;
    private final String platform;
    private final QueueFile file;
    private final ChangeSignal signal;
    /** When the tickets of this JVM were last stamped; accessed only while the pool's mutex is held. */
    private long stamped;

    private final ReentrantLock waitersLock = new ReentrantLock();
    private final Condition changed = waitersLock.newCondition();
    // Guarded by waitersLock.
    private final Set<Waiter> waiters = new LinkedHashSet<>();
    private final List<QueueFile.Place> left = new ArrayList<>();
    private boolean driven;
    private long changes;

    PlatformQueue(PoolFiles files, String platform) {
        this.files = files;
        this.platform = platform;
        this.file = new QueueFile(files.platformFolder(platform).resolve("queue"), files.sharing());
        this.signal = new ChangeSignal(files.platformFolder(platform).resolve("changed"), files.sharing());
    }

    /** Number of waiting requests of this JVM. */
    public int length() {
        waitersLock.lock();
        try {
            return waiters.size();
        } finally {
            waitersLock.unlock();
        }
    }

    /** Whether no request waits; the answer stays valid while the caller holds the pool's mutex. */
    public boolean isEmpty() {
        return file.isEmpty();
    }

    /** All waiting requests in order of arrival. The caller must hold the pool's mutex. */
    public List<Ticket> tickets() {
        try {
            return isEmpty() ? List.of() : file.tickets();
        } catch (IOException e) {
            throw unusable(e);
        }
    }

    /** Notify waiting requests that a device was given back or is available again for another reason. */
    public void released() {
        if (!isEmpty()) {
            try {
                signal.change();
            } catch (IOException e) {
                // Waiting processes also check the locks periodically.
                LoggerFactory.getLogger(PlatformQueue.class)
                        .debug("{}: waiting processes are not notified", platform, e);
            }
        }
        waitersLock.lock();
        try {
            changes++;
            changed.signalAll();
        } finally {
            waitersLock.unlock();
        }
    }

    /**
     * Join the end of the queue, and be served at once if that is fair. To leave, call {@link #quit}. The caller must
     * hold the pool's mutex and have prepared the platform's folder.
     *
     * @throws NoPlaceException if the queue's file cannot be used
     */
    public Waiter join(ResolvedRequest request) {
        long now = System.currentTimeMillis();
        Ticket ticket = new Ticket(
                0,
                now,
                request.count(),
                request.choice().inventory().devices(),
                request.expectedMillis(),
                OwnerRecord.ofThisProcess(request.test(), Instant.now(), Optional.empty()));
        Waiter waiter;
        try {
            waiter = new Waiter(request, file.join(ticket, TimeUnit.MILLISECONDS.toMicros(now)));
        } catch (IOException e) {
            throw unusable(e);
        }
        waitersLock.lock();
        try {
            waiters.add(waiter);
        } finally {
            waitersLock.unlock();
        }
        try {
            serve();
        } catch (RuntimeException e) {
            quit(waiter);
            throw e;
        }
        return waiter;
    }

    /**
     * Leave the queue. A waiter that was served keeps its devices; one that was not will not be served any more. The
     * ticket stays until {@link #tidy}.
     */
    public void quit(Waiter waiter) {
        waitersLock.lock();
        try {
            waiters.remove(waiter);
            if (!waiter.isServed()) {
                left.add(waiter.place);
            }
            if (waiters.isEmpty()) {
                signal.close();
            }
        } catch (IOException e) {
            throw unusable(e);
        } finally {
            waitersLock.unlock();
        }
    }

    /** Remove the tickets of waiters that have quit. The caller must hold the pool's mutex. */
    public void tidy() {
        List<QueueFile.Place> places;
        waitersLock.lock();
        try {
            places = List.copyOf(left);
            left.clear();
        } finally {
            waitersLock.unlock();
        }
        try {
            for (QueueFile.Place place : places) {
                file.leave(place);
            }
        } catch (IOException e) {
            throw unusable(e);
        }
        if (!places.isEmpty()) {
            released();
        }
    }

    /**
     * Wait until a request is served or {@code until} has passed.
     *
     * @return whether the request is served
     */
    public boolean await(Waiter waiter, Deadline until) throws InterruptedException {
        while (!waiter.isServed() && !until.hasPassed()) {
            if (takesTheWheel(waiter, until)) {
                try {
                    drive(waiter, until);
                } finally {
                    handOverTheWheel();
                }
            }
        }
        return waiter.isServed();
    }

    /** Sleep while another thread drives and this request waits. Returns whether this thread must drive now. */
    private boolean takesTheWheel(Waiter waiter, Deadline until) throws InterruptedException {
        waitersLock.lockInterruptibly();
        try {
            while (driven && !waiter.isServed() && !until.hasPassed()) {
                changed.await(until.nanosLeft(), TimeUnit.NANOSECONDS);
            }
            boolean takes = !waiter.isServed() && !until.hasPassed();
            driven |= takes;
            return takes;
        } finally {
            waitersLock.unlock();
        }
    }

    private void handOverTheWheel() {
        waitersLock.lock();
        try {
            driven = false;
            changed.signalAll();
        } finally {
            waitersLock.unlock();
        }
    }

    private void drive(Waiter waiter, Deadline until) throws InterruptedException {
        while (!waiter.isServed() && !until.hasPassed()) {
            long word = word();
            long seen = changes();
            if (files.mutex().tryLock(until)) {
                try {
                    files.preparePlatform(platform);
                    serve();
                } finally {
                    files.mutex().unlock();
                }
            }
            awaitChange(word, seen, Deadline.after(until, UNASKED_LOOK), waiter);
        }
    }

    private void awaitChange(long word, long seen, Deadline until, Waiter waiter) throws InterruptedException {
        Backoff glance = new Backoff(FIRST_GLANCE, LAST_GLANCE);
        waitersLock.lockInterruptibly();
        try {
            while (changes == seen && !waiter.isServed() && !until.hasPassed() && word == word()) {
                changed.await(Math.min(glance.nextNanos(), until.nanosLeft()), TimeUnit.NANOSECONDS);
            }
        } finally {
            waitersLock.unlock();
        }
    }

    private long changes() {
        waitersLock.lock();
        try {
            return changes;
        } finally {
            waitersLock.unlock();
        }
    }

    private long word() {
        try {
            return signal.read();
        } catch (IOException unreadable) {
            // The periodic check of the locks covers this case.
            return 0;
        }
    }

    /** Serve all requests of this JVM whose turn it is. The caller must hold the pool's mutex. */
    private void serve() {
        Map<Long, Waiter> own = new HashMap<>();
        Map<Long, ResolvedRequest> requests = new HashMap<>();
        for (Waiter waiter : unserved()) {
            own.put(waiter.order(), waiter);
            requests.put(waiter.order(), waiter.request);
        }
        tidy();
        if (own.isEmpty()) {
            return;
        }
        Topology topology =
                requests.values().iterator().next().choice().inventory().topology();
        try (DeviceLocks locks = new DeviceLocks(files, platform)) {
            List<Ticket> tickets = ticketsLookedAfter();
            QueuePass pass = new QueuePass(files, platform, locks, this::released);
            Map<Integer, BitSet> starts = pass.plan(tickets, requests, topology).starts();
            List<Waiter> unserved = new ArrayList<>();
            for (int i = 0; i < tickets.size(); i++) {
                Waiter waiter = own.get(tickets.get(i).order());
                BitSet devices = starts.get(i);
                if (waiter != null && devices != null) {
                    grant(waiter, locks.handOver(devices, waiter.request));
                } else if (waiter != null) {
                    unserved.add(waiter);
                }
            }
            unserved.forEach(waiter -> pass.probeSuspects(waiter.request));
        } catch (IOException e) {
            throw unusable(e);
        }
    }

    private List<Ticket> ticketsLookedAfter() throws IOException {
        long now = System.currentTimeMillis();
        if (Math.abs(now - stamped) >= STAMP_MILLIS) {
            file.stamp(now);
            signal.close();
            stamped = now;
        }
        return file.tickets().stream()
                .filter(ticket -> Math.abs(now - ticket.seen()) <= LEFT_ALONE_MILLIS)
                .toList();
    }

    private List<Waiter> unserved() {
        waitersLock.lock();
        try {
            return waiters.stream().filter(waiter -> !waiter.isServed()).toList();
        } finally {
            waitersLock.unlock();
        }
    }

    private void grant(Waiter waiter, HeldDevices devices) throws IOException {
        boolean wanted;
        waitersLock.lock();
        try {
            wanted = waiters.contains(waiter);
            if (wanted) {
                waiter.devices = devices;
                changed.signalAll();
            }
        } finally {
            waitersLock.unlock();
        }
        if (wanted) {
            file.leave(waiter.place);
        } else {
            devices.giveBack(Map.of());
            released();
        }
    }

    private NoPlaceException unusable(IOException e) {
        return new NoPlaceException(
                "the queue of " + platform + " in the pool's folder cannot be used: " + PoolFolder.reason(e) + ".\n"
                        + PoolFolder.WHAT_TO_DO,
                e);
    }
}
