package org.rankunit.pool.queue;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.rankunit.pool.inventory.DeviceChoice;

/**
 * Plans which waiting requests may start now: first come, first served, with EASY backfill.
 *
 * <p>EASY backfill (D. Lifka, The ANL/IBM SP Scheduling System, JSSPP 1995) promises the head of the queue a start time
 * and lets later requests overtake as long as that promise is kept; conservative backfill (Mu'alem and Feitelson, IEEE
 * TPDS 12(6), 2001) would promise a start time to every request. Here each set of requests that compete for the same
 * devices has its own head.
 *
 * <p>The first request that cannot start is promised the time at which enough leases will have ended, by their own
 * estimates, and devices for that time. A later request may start only on other devices, or if it states that it ends
 * before that time. If a lease in the head's way has no estimate, or has run longer than its estimate, the head's turn
 * may come at any moment, and no request overtakes it on devices that it could use. Requests that have no possible
 * device in common do not wait for each other, so there may be several heads. Pure; each plan uses a new instance.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Backfill {

    /** Stands for an unknown end or duration. */
    public static final long UNKNOWN = Long.MAX_VALUE;

    /**
     * A waiting request.
     *
     * @param expected how long the lease will take, or {@link #UNKNOWN}
     */
    public record Waiting(DeviceChoice choice, int count, long expected) {}

    /** Devices that are held until {@code end}, which may be {@link #UNKNOWN}. */
    public record Running(BitSet devices, long end) {}

    /**
     * The result for the queue.
     *
     * @param starts the devices of each request that may start, by place in the queue
     * @param promises the promised start of each head that cannot start yet, by place in the queue; {@code now} if that
     *     may be at any moment
     */
    public record Plan(Map<Integer, BitSet> starts, Map<Integer, Long> promises) {}

    /** The first request that waits for certain devices; {@code needed} is kept for it. */
    private record Head(BitSet eligible, long promise, BitSet needed) {}

    /**
     * The devices open to requests with the same choice that end after the same heads' turns, and the counts tried
     * without success.
     */
    private record Offer(BitSet devices, int size, BitSet inVain) {}

    /** State shared by requests that may use the same devices, valid until a request starts or becomes a head. */
    private static final class View {
        final DeviceChoice choice;
        /** The heads before these requests, earliest promise first. */
        final List<Head> heads;
        /** By the number of these heads whose promised start a request would outlast; null until first needed. */
        final @Nullable Offer[] offers;

        View(DeviceChoice choice, List<Head> heads) {
            this.choice = choice;
            this.heads = heads;
            this.offers = new Offer[heads.size() + 1];
        }
    }

    private final long now;
    private final BitSet left;
    private final List<Running> running;
    private final List<Head> heads = new ArrayList<>();
    private final Map<DeviceChoice, View> views = new HashMap<>();
    /** The view used most recently: the next request in the queue often may use the same devices. */
    private @Nullable View recent;

    private final Plan plan = new Plan(new HashMap<>(), new HashMap<>());

    private Backfill(long now, BitSet free, List<Running> running) {
        this.now = now;
        this.left = (BitSet) free.clone();
        this.running = new ArrayList<>(running);
    }

    /**
     * Plan for a queue in order of arrival.
     *
     * @param free devices that are not held
     * @param running all held devices
     */
    public static Plan plan(long now, BitSet free, List<Running> running, List<Waiting> queue) {
        Backfill backfill = new Backfill(now, free, running);
        for (int place = 0; place < queue.size() && backfill.goesOn(); place++) {
            backfill.consider(place, queue.get(place));
        }
        return backfill.plan;
    }

    /** Whether the next request matters: a request can still start, or there is no head yet to keep devices for. */
    private boolean goesOn() {
        return !left.isEmpty() || heads.isEmpty();
    }

    private void consider(int place, Waiting next) {
        View view = recent != null && recent.choice == next.choice
                ? recent
                : views.computeIfAbsent(next.choice, this::view);
        recent = view;
        Offer offer = offer(view, next);
        // In a long queue, most requests want a count that was already tried.
        if (next.count <= offer.size && !offer.inVain.get(next.count)) {
            BitSet chosen = next.choice.choose(offer.devices, next.count);
            if (!chosen.isEmpty()) {
                start(place, next, chosen);
                return;
            }
            offer.inVain.set(next.count);
        }
        if (view.heads.isEmpty()) {
            promise(place, next);
        }
    }

    private View view(DeviceChoice choice) {
        List<Head> before = new ArrayList<>();
        for (Head head : heads) {
            if (head.eligible.intersects(choice.all())) {
                before.add(head);
            }
        }
        before.sort(Comparator.comparingLong(Head::promise));
        return new View(choice, before);
    }

    private Offer offer(View view, Waiting next) {
        long end = endOf(next);
        int late = 0;
        while (late < view.heads.size() && view.heads.get(late).promise < end) {
            late++;
        }
        Offer offer = view.offers[late];
        if (offer == null) {
            BitSet devices = (BitSet) left.clone();
            devices.and(next.choice.all());
            view.heads.subList(0, late).forEach(head -> devices.andNot(head.needed));
            offer = new Offer(devices, devices.cardinality(), new BitSet());
            view.offers[late] = offer;
        }
        return offer;
    }

    private long endOf(Waiting next) {
        return next.expected >= UNKNOWN - now ? UNKNOWN : now + next.expected;
    }

    private void start(int place, Waiting next, BitSet chosen) {
        plan.starts.put(place, chosen);
        running.add(new Running(chosen, endOf(next)));
        left.andNot(chosen);
        forgetViews();
    }

    private void forgetViews() {
        views.clear();
        recent = null;
    }

    /**
     * Keep what {@code head} will need; nothing if the existing devices could not serve it even with all of them free.
     */
    private void promise(int place, Waiting head) {
        BitSet eligible = head.choice.all();
        List<Running> inTheWay = running.stream()
                .filter(lease -> lease.devices.intersects(eligible))
                .sorted(Comparator.comparingLong(Running::end))
                .toList();
        boolean known = inTheWay.stream().allMatch(lease -> lease.end > now && lease.end != UNKNOWN);
        BitSet available = (BitSet) left.clone();
        available.and(eligible);
        for (int i = 0; i < inTheWay.size(); i++) {
            Running lease = inTheWay.get(i);
            available.or(lease.devices);
            boolean last = i + 1 == inTheWay.size();
            if ((known || last) && !head.choice.choose(available, head.count).isEmpty()) {
                long moment = known ? lease.end : now;
                heads.add(new Head(eligible, moment, known ? sparing(head, available) : eligible));
                plan.promises.put(place, moment);
                forgetViews();
                return;
            }
        }
    }

    /** Devices for the head, with as few as possible of those already free, so that others can use these until then. */
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
