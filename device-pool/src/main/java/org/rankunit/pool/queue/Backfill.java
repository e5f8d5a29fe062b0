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
 * Plan which waiting requests may begin now: first come, first served, with EASY backfill.
 *
 * <p>EASY backfill (D. Lifka, The ANL/IBM SP Scheduling System, JSSPP 1995) promises the head of the queue a start and lets those
 * behind overtake as long as it keeps that promise; conservative backfill (Mu'alem and Feitelson, IEEE TPDS 12(6), 2001) would
 * promise a start to all. Here each set of requests that compete for devices has a head of its own.
 *
 * <p>The first that cannot begin is promised the moment at which enough leases will have ended, as they said themselves, and
 * devices for that moment. A request behind it may begin only on other devices, or if it says that it ends before. Where
 * some lease in the head's way does not say how long it takes, or takes longer than it said, the head may come to its turn at any
 * moment, and nobody overtakes it on devices that it could use. Requests that may use no device in common do not wait for
 * each other, so there may be several heads. Pure; an instance is made for each plan.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Backfill {

    /** Says of an end that it is not known. */
    public static final long UNKNOWN = Long.MAX_VALUE;

    /**
     * Somebody who waits.
     *
     * @param expected how long the lease will take, or {@link #UNKNOWN}
     */
    public record Waiting(DeviceChoice choice, int count, long expected) {}

    /** Devices that are held until {@code end}, or {@link #UNKNOWN}. */
    public record Running(BitSet devices, long end) {}

    /**
     * What becomes of the queue.
     *
     * @param starts devices by place in the queue, of those that may begin
     * @param promises by place in the queue, when a head that cannot begin is to; {@code now} where that may be at any moment
     */
    public record Plan(Map<Integer, BitSet> starts, Map<Integer, Long> promises) {}

    /** The first of those who may use some devices, for whom they are kept. */
    private record Head(BitSet eligible, long promise, BitSet needed) {}

    /** Devices for all who want the same and end after the same heads' turns; the counts that were tried of them in vain. */
    private record Offer(BitSet devices, int size, BitSet inVain) {}

    /** What those who may use the same devices are to know, until somebody begins or becomes a head. */
    private static final class View {
        final DeviceChoice choice;
        /** Those they stand behind, the first promises at the front. */
        final List<Head> heads;
        /** By how many of these heads' promises they would not keep; absent until asked for. */
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
    /** Of the views the one used most recently: often the next in the queue may use the same devices. */
    private @Nullable View recent;

    private final Plan plan = new Plan(new HashMap<>(), new HashMap<>());

    private Backfill(long now, BitSet free, List<Running> running) {
        this.now = now;
        this.left = (BitSet) free.clone();
        this.running = new ArrayList<>(running);
    }

    /**
     * Plan for a queue, those who came first at its front.
     *
     * @param free devices that nobody holds
     * @param running all that is held
     */
    public static Plan plan(long now, BitSet free, List<Running> running, List<Waiting> queue) {
        Backfill backfill = new Backfill(now, free, running);
        for (int place = 0; place < queue.size() && backfill.goesOn(); place++) {
            backfill.consider(place, queue.get(place));
        }
        return backfill.plan;
    }

    /** Whether it matters who comes next: somebody can still begin, or nobody is known yet for whom to keep devices. */
    private boolean goesOn() {
        return !left.isEmpty() || heads.isEmpty();
    }

    private void consider(int place, Waiting next) {
        View view = recent != null && recent.choice == next.choice
                ? recent
                : views.computeIfAbsent(next.choice, this::view);
        recent = view;
        Offer offer = offer(view, next);
        // Of a long queue most want what was tried already.
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

    /** Keep for {@code head} what it will need; nothing, if the devices that there are could not serve it even if all were free. */
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
