package org.rankunit.pool;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Who of those that wait for devices may begin now: first come, first served, and those behind may overtake where it costs the
 * head of the queue nothing.
 *
 * <p>The first that cannot begin is promised the moment at which enough leases will have ended, as they said themselves, and
 * devices for that moment. A request behind it may begin only on other devices, or if it says that it ends before. Where
 * some lease in the head's way does not say how long it takes, or takes longer than it said, the head may come to its turn at any
 * moment, and nobody overtakes it on devices that it could use. Requests that may use no device in common do not wait for
 * each other, so there may be several heads. Pure.
 */
final class Backfill {

    /** Says of an end that it is not known. */
    static final long UNKNOWN = Long.MAX_VALUE;

    /**
     * Somebody who waits.
     *
     * @param expected how long the lease will take, or {@link #UNKNOWN}
     */
    record Waiting(DeviceChoice choice, int count, long expected) {}

    /** Devices that are held until {@code end}, or {@link #UNKNOWN}. */
    record Running(BitSet devices, long end) {}

    /**
     * What becomes of the queue.
     *
     * @param starts devices by place in the queue, of those that may begin
     * @param promises by place in the queue, when a head that cannot begin is to; {@code now} where that may be at any moment
     */
    record Plan(Map<Integer, BitSet> starts, Map<Integer, Long> promises) {}

    /** The first of those who may use some devices, for whom they are kept. */
    private record Head(BitSet eligible, long promise, BitSet needed) {}

    private final long now;
    private final BitSet left;
    private final List<Running> running;
    private final List<Head> heads = new ArrayList<>();
    private final Plan plan = new Plan(new HashMap<>(), new HashMap<>());
    /** Of {@link #left}, what no head needs. */
    private BitSet unclaimed;

    private int leftCount;
    private int unclaimedCount;

    private Backfill(long now, BitSet free, List<Running> running) {
        this.now = now;
        this.left = (BitSet) free.clone();
        this.running = new ArrayList<>(running);
        this.unclaimed = left;
        count();
    }

    /**
     * Plan for a queue, those who came first at its front.
     *
     * @param free devices that nobody holds
     * @param running all that is held
     */
    static Plan plan(long now, BitSet free, List<Running> running, List<Waiting> queue) {
        Backfill backfill = new Backfill(now, free, running);
        for (int place = 0; place < queue.size() && backfill.leftCount > 0; place++) {
            backfill.consider(place, queue.get(place));
        }
        return backfill.plan;
    }

    private void consider(int place, Waiting next) {
        if (!heads.isEmpty() && next.count > (endsBeforeSomeHead(next) ? leftCount : unclaimedCount)) {
            // Quickly, since most of a long queue is like this; only a request that shares nothing with any head goes
            // on.
            if (heads.stream().anyMatch(head -> head.eligible.intersects(next.choice.all()))) {
                return;
            }
        }
        BitSet chosen = next.choice.choose(allowed(next), next.count);
        if (!chosen.isEmpty()) {
            start(place, next, chosen);
        } else if (heads.stream().noneMatch(head -> head.eligible.intersects(next.choice.all()))) {
            promise(place, next);
        }
    }

    private boolean endsBeforeSomeHead(Waiting next) {
        return heads.stream().anyMatch(head -> endOf(next) <= head.promise);
    }

    private long endOf(Waiting next) {
        return next.expected >= UNKNOWN - now ? UNKNOWN : now + next.expected;
    }

    private BitSet allowed(Waiting next) {
        if (heads.isEmpty()) {
            return left;
        }
        BitSet allowed = (BitSet) left.clone();
        for (Head head : heads) {
            if (endOf(next) > head.promise) {
                allowed.andNot(head.needed);
            }
        }
        return allowed;
    }

    private void start(int place, Waiting next, BitSet chosen) {
        plan.starts.put(place, chosen);
        running.add(new Running(chosen, endOf(next)));
        left.andNot(chosen);
        count();
    }

    private void count() {
        leftCount = left.cardinality();
        unclaimed = (BitSet) left.clone();
        heads.forEach(head -> unclaimed.andNot(head.needed));
        unclaimedCount = unclaimed.cardinality();
    }

    /** Keep for {@code head} what it will need; nothing, if the devices that there are could not serve it even if all were free. */
    private void promise(int place, Waiting head) {
        BitSet eligible = head.choice.all();
        List<Running> inTheWay = running.stream()
                .filter(lease -> lease.devices.intersects(eligible))
                .sorted(Comparator.comparingLong(Running::end))
                .toList();
        BitSet available = (BitSet) left.clone();
        available.and(eligible);
        long moment = now;
        boolean known = true;
        for (Running lease : inTheWay) {
            known &= lease.end > now && lease.end != UNKNOWN;
            available.or(lease.devices);
            moment = lease.end;
            if (known && !head.choice.choose(available, head.count).isEmpty()) {
                break;
            }
        }
        if (inTheWay.stream().anyMatch(lease -> lease.end <= now || lease.end == UNKNOWN)) {
            known = false;
        }
        if (!known) {
            inTheWay.forEach(lease -> available.or(lease.devices));
        }
        if (head.choice.choose(available, head.count).isEmpty()) {
            return;
        }
        BitSet needed = known ? sparing(head, available) : eligible;
        heads.add(new Head(eligible, known ? moment : now, needed));
        plan.promises.put(place, known ? moment : now);
        count();
    }

    /** Devices for the head, as few as possible of those that are free already, which others can use until then. */
    private BitSet sparing(Waiting head, BitSet available) {
        BitSet enough = (BitSet) available.clone();
        for (int device = left.length() - 1; device >= 0; device--) {
            if (left.get(device) && enough.get(device)) {
                enough.clear(device);
                if (head.choice.choose(enough, head.count).isEmpty()) {
                    enough.set(device);
                }
            }
        }
        return head.choice.choose(enough, head.count);
    }
}
