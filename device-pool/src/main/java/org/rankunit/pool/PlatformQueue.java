package org.rankunit.pool;

import java.io.IOException;
import java.nio.file.Path;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Those who wait for devices of one platform, in this JVM and in all others that use the folder, in one queue.
 *
 * <p>Each request that waits has a ticket in the shared {@link QueueFile}. At any moment one of this JVM's waiting threads drives: it
 * watches for changes, and enters the gate to serve all requests of this JVM whose turn it is. The others sleep until they are
 * served. Thread-safe.
 */
final class PlatformQueue {

    /** Tickets that their process has not looked after for so long are passed over, since it is stopped. */
    static final long LEFT_ALONE_MILLIS = 5_000;

    private static final long STAMP_MILLIS = 1_000;

    /** How often the word that says of changes is read: so long may a device be idle between two processes. */
    private static final long FIRST_GLANCE = TimeUnit.MICROSECONDS.toNanos(200);

    private static final long LAST_GLANCE = TimeUnit.MILLISECONDS.toNanos(1);

    /** How often the locks are looked at though nothing was said: a holder that was killed says nothing. */
    private static final long UNASKED_LOOK = TimeUnit.MILLISECONDS.toNanos(25);

    /** A request of this JVM that waits. */
    static final class Waiter {
        private final Wish wish;
        private final QueueFile.Place place;
        private volatile @Nullable DeviceLease lease;

        private Waiter(Wish wish, QueueFile.Place place) {
            this.wish = wish;
            this.place = place;
        }

        boolean isServed() {
            return lease != null;
        }

        Optional<DeviceLease> lease() {
            return Optional.ofNullable(lease);
        }

        long order() {
            return place.ticket().order();
        }
    }

    private final SharedFolder folder;
    private final String platform;
    private final QueueFile file;
    private final ChangeSignal signal;
    /** When the tickets of this JVM were last stamped; only touched inside the gate. */
    private long stamped;

    private final ReentrantLock mutex = new ReentrantLock();
    private final Condition changed = mutex.newCondition();
    // Guarded by the mutex.
    private final Set<Waiter> waiters = new LinkedHashSet<>();
    private final List<QueueFile.Place> left = new ArrayList<>();
    private boolean driven;
    private long changes;

    PlatformQueue(SharedFolder folder, String platform, Path platformFolder, Sharing sharing) {
        this.folder = folder;
        this.platform = platform;
        this.file = new QueueFile(platformFolder.resolve("queue"), sharing);
        this.signal = new ChangeSignal(platformFolder.resolve("changed"), sharing);
    }

    /** Number of requests of this JVM that wait. */
    int length() {
        mutex.lock();
        try {
            return waiters.size();
        } finally {
            mutex.unlock();
        }
    }

    /** Whether nobody waits; inside the gate that stays so. */
    boolean isEmpty() {
        return file.isEmpty();
    }

    /** All who wait, those who came first at the front. For the thread inside the gate. */
    List<Ticket> tickets() {
        try {
            return isEmpty() ? List.of() : file.tickets();
        } catch (IOException e) {
            throw unusable(e);
        }
    }

    /** A device was given back, or may be had again for another reason: those who wait are to look. */
    void released() {
        if (!isEmpty()) {
            try {
                signal.change();
            } catch (IOException e) {
                // They look now and then anyway.
                LoggerFactory.getLogger(PlatformQueue.class).debug("{}: waiting processes are not told", platform, e);
            }
        }
        mutex.lock();
        try {
            changes++;
            changed.signalAll();
        } finally {
            mutex.unlock();
        }
    }

    /**
     * Stand at the end of the line, and be served at once if that is fair. Whoever stands goes by {@link #quit}. For the
     * thread inside the gate, who has the platform's folder prepared.
     *
     * @throws NoPlaceException if there is no standing there
     */
    Waiter join(Wish wish) {
        long now = System.currentTimeMillis();
        Ticket ticket = new Ticket(
                0,
                now,
                wish.request().count(),
                wish.choice().inventory().devices(),
                wish.expectedMillis(),
                OwnerRecord.ofThisProcess(wish.request().test(), Instant.now(), Optional.empty()));
        Waiter waiter;
        try {
            waiter = new Waiter(wish, file.join(ticket, TimeUnit.MILLISECONDS.toMicros(now)));
        } catch (IOException e) {
            throw unusable(e);
        }
        mutex.lock();
        try {
            waiters.add(waiter);
        } finally {
            mutex.unlock();
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
     * Stand in line no longer; who was served keeps the lease, and nobody is served afterwards. Outside the gate the ticket
     * stays until {@link #tidy}.
     */
    void quit(Waiter waiter) {
        mutex.lock();
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
            mutex.unlock();
        }
    }

    /** Take away the tickets of those who have quit. For the thread inside the gate. */
    void tidy() {
        List<QueueFile.Place> places;
        mutex.lock();
        try {
            places = List.copyOf(left);
            left.clear();
        } finally {
            mutex.unlock();
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
     * @return whether it is served
     */
    boolean await(Waiter waiter, Deadline until) throws InterruptedException {
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

    /** Sleep while another thread drives and this request waits; whether this one is to drive. */
    private boolean takesTheWheel(Waiter waiter, Deadline until) throws InterruptedException {
        mutex.lockInterruptibly();
        try {
            while (driven && !waiter.isServed() && !until.hasPassed()) {
                changed.await(until.nanosLeft(), TimeUnit.NANOSECONDS);
            }
            boolean takes = !waiter.isServed() && !until.hasPassed();
            driven |= takes;
            return takes;
        } finally {
            mutex.unlock();
        }
    }

    private void handOverTheWheel() {
        mutex.lock();
        try {
            driven = false;
            changed.signalAll();
        } finally {
            mutex.unlock();
        }
    }

    private void drive(Waiter waiter, Deadline until) throws InterruptedException {
        while (!waiter.isServed() && !until.hasPassed()) {
            long word = word();
            long seen = changes();
            if (folder.gate().enter(until)) {
                try {
                    folder.preparePlatform(platform);
                    serve();
                } finally {
                    folder.gate().leave();
                }
            }
            awaitChange(word, seen, Deadline.after(until, UNASKED_LOOK), waiter);
        }
    }

    private void awaitChange(long word, long seen, Deadline until, Waiter waiter) throws InterruptedException {
        Backoff glance = new Backoff(FIRST_GLANCE, LAST_GLANCE);
        mutex.lockInterruptibly();
        try {
            while (changes == seen && !waiter.isServed() && !until.hasPassed() && word == word()) {
                changed.await(Math.min(glance.nextNanos(), until.nanosLeft()), TimeUnit.NANOSECONDS);
            }
        } finally {
            mutex.unlock();
        }
    }

    private long changes() {
        mutex.lock();
        try {
            return changes;
        } finally {
            mutex.unlock();
        }
    }

    private long word() {
        try {
            return signal.read();
        } catch (IOException unreadable) {
            // Then there is the look that nobody asked for.
            return 0;
        }
    }

    /** Give all requests of this JVM what they wait for, as far as it is their turn. For the thread inside the gate. */
    private void serve() {
        Map<Long, Waiter> own = new HashMap<>();
        Map<Long, Wish> wishes = new HashMap<>();
        for (Waiter waiter : unserved()) {
            own.put(waiter.order(), waiter);
            wishes.put(waiter.order(), waiter.wish);
        }
        tidy();
        if (own.isEmpty()) {
            return;
        }
        Topology topology =
                wishes.values().iterator().next().choice().inventory().topology();
        try (DeviceLocks locks = new DeviceLocks(folder, platform)) {
            List<Ticket> tickets = ticketsLookedAfter();
            QueuePass pass = new QueuePass(folder, platform, locks);
            Map<Integer, BitSet> starts = pass.plan(tickets, wishes, topology).starts();
            List<Waiter> unserved = new ArrayList<>();
            for (int i = 0; i < tickets.size(); i++) {
                Waiter waiter = own.get(tickets.get(i).order());
                BitSet devices = starts.get(i);
                if (waiter != null && devices != null) {
                    grant(waiter, locks.handOver(devices, waiter.wish.request()));
                } else if (waiter != null) {
                    unserved.add(waiter);
                }
            }
            unserved.forEach(waiter -> pass.probeSuspects(waiter.wish));
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
        mutex.lock();
        try {
            return waiters.stream().filter(waiter -> !waiter.isServed()).toList();
        } finally {
            mutex.unlock();
        }
    }

    private void grant(Waiter waiter, DeviceLease lease) throws IOException {
        boolean wanted;
        mutex.lock();
        try {
            wanted = waiters.contains(waiter);
            if (wanted) {
                waiter.lease = lease;
                changed.signalAll();
            }
        } finally {
            mutex.unlock();
        }
        if (wanted) {
            file.leave(waiter.place);
        } else {
            lease.close();
        }
    }

    private NoPlaceException unusable(IOException e) {
        return new NoPlaceException(
                "the queue of " + platform + " in the pool's folder cannot be used: " + PoolFolder.reason(e) + ".\n"
                        + PoolFolder.WHAT_TO_DO,
                e);
    }
}
