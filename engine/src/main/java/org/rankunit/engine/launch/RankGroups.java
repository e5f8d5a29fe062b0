package org.rankunit.engine.launch;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.rankunit.engine.plan.GroupPlan;
import org.rankunit.engine.schedule.Reservation;
import org.rankunit.engine.schedule.Reservations;

/**
 * Keeps the groups of a run for the next class that needs the same kind, and makes new ones.
 *
 * <p>Owns every group that is not in use. Not thread-safe.
 */
public final class RankGroups implements AutoCloseable {

    private final GroupSpec spec;
    private final Reservations reservations;
    private final Deque<RankGroup> idle = new ArrayDeque<>();
    private final GroupEnds ends;
    private int made;

    /** Hears how long it took to end a group. */
    public interface GroupEnds {

        void ended(int group, long nanos);
    }

    public RankGroups(GroupSpec spec, Reservations reservations, GroupEnds ends) {
        this.spec = spec;
        this.reservations = reservations;
        this.ends = ends;
    }

    /** Take a kept group of this kind; empty if there is none. The caller gives it back or closes it. */
    public Optional<RankGroup> kept(GroupPlan plan) {
        for (RankGroup group : idle) {
            if (group.lease().platform().equals(plan.platform().id())
                    && group.lease().devices().size() == plan.ranks()) {
                idle.remove(group);
                if (group.isSound()) {
                    return Optional.of(group);
                }
                end(group);
                return kept(plan);
            }
        }
        return Optional.empty();
    }

    /**
     * Make a new group. Where its devices are held by kept groups of this run, the one idle for longest is ended for it.
     *
     * @throws org.rankunit.engine.schedule.ReservationException if there are no devices in time
     */
    public RankGroup make(GroupPlan plan) throws BringUpException {
        Optional<Reservation> free = reservations.tryReserve(plan);
        while (free.isEmpty() && !idle.isEmpty()) {
            end(idle.removeFirst());
            free = reservations.tryReserve(plan);
        }
        Reservation reservation = free.isPresent() ? free.get() : reservations.reserve(plan);
        return RankGroup.start(reservation.lease(), spec, ++made, reservation.waitedNanos());
    }

    /** Take a group back: keep a clean one for the next class, end a tainted one. */
    public void giveBack(RankGroup group, boolean clean) {
        if (clean) {
            idle.addLast(group);
        } else {
            end(group);
        }
    }

    private void end(RankGroup group) {
        group.close();
        ends.ended(group.number(), group.tearDownNanos());
    }

    @Override
    public void close() {
        idle.forEach(this::end);
        idle.clear();
    }
}
