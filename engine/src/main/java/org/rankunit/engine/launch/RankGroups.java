package org.rankunit.engine.launch;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.plan.GroupPlan;
import org.rankunit.engine.schedule.Reservation;
import org.rankunit.engine.schedule.Reservations;
import org.rankunit.engine.schedule.Workers;

/**
 * Keeps the groups of a run for the next class that needs the same kind, makes new ones, and prepares the next one while
 * the present one still works.
 *
 * <p>Owns every group that is not in use. Thread-safe.
 */
public final class RankGroups implements AutoCloseable {

    private final GroupSpec spec;
    private final Reservations reservations;
    private final GroupEnds ends;
    private final Workers endings = new Workers();

    // Guarded by this.
    private final Deque<RankGroup> idle = new ArrayDeque<>();
    private final List<Preparation> prepared = new ArrayList<>();
    private int waitingForDevices;
    private int made;
    private boolean closed;

    /** Hears how long it took to end a group, on whatever thread ended it. */
    public interface GroupEnds {

        void ended(int group, long nanos);
    }

    public RankGroups(GroupSpec spec, Reservations reservations, GroupEnds ends) {
        this.spec = spec;
        this.reservations = reservations;
        this.ends = ends;
    }

    /**
     * Take a group of the kind that these tests need: a kept one, one that was prepared, or a new one. The caller gives it
     * back.
     *
     * @param avoided devices that it is not to have; if there are any, the group is a new one
     * @throws org.rankunit.engine.schedule.ReservationException if there are no devices in time
     */
    public RankGroup take(GroupPlan plan, Set<Integer> avoided) throws BringUpException {
        if (!avoided.isEmpty()) {
            return make(plan, avoided);
        }
        for (RankGroup kept = removeIdle(plan); kept != null; kept = removeIdle(plan)) {
            if (kept.isSound()) {
                return kept;
            }
            end(kept);
        }
        Preparation preparation = removePrepared(each -> each.serves(plan));
        Optional<RankGroup> group = preparation == null ? Optional.empty() : preparation.await();
        if (group.isPresent() && !group.get().isSound()) {
            end(group.get());
            group = Optional.empty();
        }
        return group.isPresent() ? group.get() : make(plan, avoided);
    }

    /** Why a group for these tests can never be had without certain devices; empty if it can. */
    public Optional<String> whyNever(GroupPlan plan, Set<Integer> avoided) {
        return reservations.whyNever(plan, avoided);
    }

    /** Start a group for tests that come next, beside those at work, if its devices are free and none is there yet. */
    public synchronized void prepare(GroupPlan plan) {
        boolean isThere = prepared.stream().anyMatch(each -> each.serves(plan))
                || (!plan.fresh()
                        && idle.stream().anyMatch(group -> group.kind().equals(plan.kind())));
        if (!isThere && !closed && waitingForDevices == 0 && !spec.isDebugging()) {
            int number = ++made;
            prepared.add(Preparation.begin(plan.kind(), () -> {
                Optional<Reservation> free = reservations.tryReserve(plan, Set.of());
                return free.isEmpty() ? Optional.empty() : Optional.of(start(plan, free.get(), number));
            }));
        }
    }

    /**
     * Take a group back: keep a clean one for the next class, end one that is tainted or was for these tests alone. That is
     * done beside the start of the group that takes its place.
     */
    public synchronized void giveBack(RankGroup group, GroupPlan plan, boolean clean) {
        // Whoever waits for devices, of this run or of another, is not to wait for a group that does nothing.
        if (clean && !plan.fresh() && waitingForDevices == 0 && !closed) {
            idle.addLast(group);
        } else {
            endings.start("rankunit-end-" + group.number(), () -> end(group));
        }
    }

    private RankGroup make(GroupPlan plan, Set<Integer> avoided) throws BringUpException {
        Optional<Reservation> free = reservations.tryReserve(plan, avoided);
        while (free.isEmpty() && endOneUnused()) {
            free = reservations.tryReserve(plan, avoided);
        }
        return start(plan, free.isPresent() ? free.get() : waitForDevices(plan, avoided), nextNumber());
    }

    private Reservation waitForDevices(GroupPlan plan, Set<Integer> avoided) {
        synchronized (this) {
            waitingForDevices++;
        }
        try {
            return reservations.reserve(plan, avoided);
        } finally {
            synchronized (this) {
                waitingForDevices--;
            }
        }
    }

    private RankGroup start(GroupPlan plan, Reservation reservation, int number) throws BringUpException {
        return RankGroup.start(reservation.lease(), spec, plan.kind(), number, reservation.waitedNanos());
    }

    private synchronized int nextNumber() {
        return ++made;
    }

    /** End the group that is idle for longest, or one that is only prepared; false if there is none. */
    private boolean endOneUnused() {
        RankGroup group = pollIdle();
        if (group != null) {
            end(group);
            return true;
        }
        Preparation preparation = removePrepared(each -> true);
        if (preparation == null) {
            return false;
        }
        preparation.giveUp().ifPresent(this::end);
        return true;
    }

    private synchronized @Nullable RankGroup pollIdle() {
        return idle.pollFirst();
    }

    private synchronized @Nullable RankGroup removeIdle(GroupPlan plan) {
        if (!plan.fresh()) {
            for (Iterator<RankGroup> groups = idle.iterator(); groups.hasNext(); ) {
                RankGroup group = groups.next();
                if (group.kind().equals(plan.kind())) {
                    groups.remove();
                    return group;
                }
            }
        }
        return null;
    }

    private synchronized @Nullable Preparation removePrepared(Predicate<Preparation> which) {
        for (Preparation each : prepared) {
            if (which.test(each)) {
                prepared.remove(each);
                return each;
            }
        }
        return null;
    }

    private void end(RankGroup group) {
        group.close();
        ends.ended(group.number(), group.tearDownNanos());
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        while (endOneUnused()) {
            // Until none is left.
        }
        endings.awaitEnd();
    }
}
