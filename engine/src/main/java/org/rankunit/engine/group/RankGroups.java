package org.rankunit.engine.group;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.plan.GroupPlan;
import org.rankunit.engine.protocol.DeviceRef;
import org.rankunit.engine.schedule.Workers;
import org.rankunit.engine.site.GroupRequest;
import org.rankunit.engine.site.Reservation;
import org.rankunit.engine.site.ReservationException;
import org.rankunit.engine.site.Reservations;

/**
 * Keeps the groups of a run for the next class that needs the same kind, makes new ones, and prepares the next group while the
 * current one is still running.
 *
 * <p>A kept group withholds its devices from others. So when a request on this machine waits for devices, idle groups are ended, and a
 * group that has held its devices for a long time is not kept for the next class.
 *
 * <p>Owns every group that is not in use. Thread-safe.
 */
public final class RankGroups implements AutoCloseable {

    /** How long a run may keep using the same devices while others wait: much longer than it takes to make a group. */
    private static final Duration TURN = Duration.ofSeconds(10);

    private final GroupSpec spec;
    private final Reservations reservations;
    private final GroupWatch watch;
    private final Function<GroupPlan, Optional<Duration>> expected;
    private final Workers endings = new Workers();
    private final IdleGroups idle;

    // Guarded by this.
    private final List<Preparation> prepared = new ArrayList<>();
    private int waitingForDevices;
    private int made;
    private boolean closed;

    /** Receives how far the making of a group has come, on the thread that makes it. Must return at once. */
    public interface Stages {

        /** It waits for devices; {@code text} says who is in the way. */
        void waits(String text);

        /** It has these devices, and its ranks start. */
        void leased(List<DeviceRef> devices);
    }

    /**
     * Makes the groups of a run.
     *
     * @param expected how long a group will be at work, rather too long than too short; empty if unknown
     */
    public RankGroups(
            GroupSpec spec,
            Reservations reservations,
            Function<GroupPlan, Optional<Duration>> expected,
            GroupWatch watch) {
        this.spec = spec;
        this.reservations = reservations;
        this.expected = expected;
        this.watch = watch;
        this.idle = new IdleGroups(reservations::isAwaited, endings, this::end);
    }

    /**
     * Take a group of the kind that these tests need: a kept one, a prepared one, or a new one. The caller must give it back.
     *
     * @param avoided devices that the group must not use; if there are any, the group is a new one
     * @param stages receives how far a new group has come
     * @throws ReservationException if no devices become free in time
     */
    public RankGroup take(GroupPlan plan, Set<DeviceRef> avoided, Stages stages) throws BringUpException {
        RankGroup group = find(plan, avoided, stages);
        watch.taken(group.number(), plan);
        return group;
    }

    private RankGroup find(GroupPlan plan, Set<DeviceRef> avoided, Stages stages) throws BringUpException {
        if (!avoided.isEmpty()) {
            return make(plan, avoided, stages);
        }
        for (RankGroup kept = kept(plan); kept != null; kept = kept(plan)) {
            if (kept.isSound()) {
                kept.lease().renew(requestOf(plan));
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
        return group.isPresent() ? group.get() : make(plan, avoided, stages);
    }

    /** Why a group for these tests can never be made without certain devices; empty if it can. */
    public Optional<String> whyNever(GroupPlan plan, Set<DeviceRef> avoided) {
        return reservations.whyNever(requestOf(plan), avoided);
    }

    /**
     * Start a group for the tests that come next, alongside the running ones, if its devices are free and there is no such group
     * yet.
     */
    public synchronized void prepare(GroupPlan plan) {
        boolean isThere =
                prepared.stream().anyMatch(each -> each.serves(plan)) || (!plan.fresh() && idle.has(plan.kind()));
        if (!isThere && !closed && waitingForDevices == 0 && !spec.isDebugging()) {
            int number = ++made;
            prepared.add(Preparation.begin(plan.kind(), () -> {
                CompileStage stage = CompileStage.of(spec.kernels(), plan.platform());
                long asked = System.nanoTime();
                Optional<Reservation> free = reservations.tryReserve(requestOf(plan), Set.of());
                return free.isEmpty() ? Optional.empty() : Optional.of(start(plan, stage, free.get(), number, asked));
            }));
        }
    }

    /**
     * Take a group back. A clean one is kept for the next class; one that is tainted or was made for these tests alone is ended. It
     * is ended in the background, while the group that replaces it starts.
     */
    public synchronized void giveBack(RankGroup group, GroupPlan plan, boolean clean) {
        watch.givenBack(group.number());
        // An idle group must not make others wait for devices, whether in this run or another.
        if (clean && !plan.fresh() && waitingForDevices == 0 && !closed && !hasHadItsTurn(group)) {
            idle.add(group);
        } else {
            endings.start("rankunit-end-" + group.number(), () -> end(group));
        }
    }

    private GroupRequest requestOf(GroupPlan plan) {
        return new GroupRequest(plan.kind(), plan.className(), expected.apply(plan));
    }

    private boolean hasHadItsTurn(RankGroup group) {
        return Duration.between(group.lease().since(), Instant.now()).compareTo(TURN) > 0
                && reservations.isAwaited(group.kind().platform());
    }

    private RankGroup make(GroupPlan plan, Set<DeviceRef> avoided, Stages stages) throws BringUpException {
        CompileStage stage = CompileStage.of(spec.kernels(), plan.platform());
        long asked = System.nanoTime();
        Reservation reservation = reserve(plan, avoided, asked, stages);
        stages.leased(reservation.lease().devices());
        return start(plan, stage, reservation, nextNumber(), asked);
    }

    private Reservation reserve(GroupPlan plan, Set<DeviceRef> avoided, long asked, Stages stages) {
        try {
            Optional<Reservation> free = reservations.tryReserve(requestOf(plan), avoided);
            while (free.isEmpty() && endOneUnused()) {
                free = reservations.tryReserve(requestOf(plan), avoided);
            }
            return free.isPresent() ? free.get() : waitForDevices(plan, avoided, stages);
        } catch (ReservationException e) {
            watch.refused(plan, asked, String.valueOf(e.getMessage()));
            throw e;
        }
    }

    private Reservation waitForDevices(GroupPlan plan, Set<DeviceRef> avoided, Stages stages) {
        synchronized (this) {
            waitingForDevices++;
        }
        try {
            return reservations.reserve(requestOf(plan), avoided, stages::waits);
        } finally {
            synchronized (this) {
                waitingForDevices--;
            }
        }
    }

    private RankGroup start(GroupPlan plan, CompileStage stage, Reservation reservation, int number, long asked)
            throws BringUpException {
        watch.leased(number, plan, reservation.lease().devices(), asked);
        boolean isUp = false;
        long begin = System.nanoTime();
        try {
            RankGroup group = RankGroup.start(
                    reservation.lease(),
                    spec,
                    plan.kind(),
                    stage.kernels(),
                    number,
                    stage.and(reservation.waitedNanos()));
            isUp = true;
            watch.up(number, group.devices());
            return group;
        } finally {
            if (!isUp) {
                watch.ended(number, System.nanoTime() - begin);
            }
        }
    }

    private synchronized int nextNumber() {
        return ++made;
    }

    /** End the group that has been idle for longest, or else one that is only prepared; false if there is none. */
    private boolean endOneUnused() {
        RankGroup group = idle.poll();
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

    /** End all groups that are idle or only prepared, so that they hold no devices while something else takes its time. */
    public void endUnused() {
        while (endOneUnused()) {
            // Repeat until none is left.
        }
    }

    private @Nullable RankGroup kept(GroupPlan plan) {
        return plan.fresh() ? null : idle.remove(plan.kind());
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
        watch.ended(group.number(), group.tearDownNanos());
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        endUnused();
        idle.close();
        endings.awaitEnd();
    }
}
