package org.rankunit.engine.schedule;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.config.Platform;
import org.rankunit.engine.discovery.SharedResources;
import org.rankunit.engine.plan.GroupPlan;
import org.rankunit.engine.site.ReservationException;

/**
 * Decides how many groups of this run work at the same time. Groups start in the order of their requests, but a later group may
 * start first if it uses devices that would otherwise be idle and does not delay the first group in the queue.
 *
 * <p>If the user gives no number, ranks on a simulator share the cores: at most as many work at once as there are cores,
 * except that one group may always work. The number of devices is always a limit, and on hardware the only one. Classes that
 * conflict over shared resources do not work at the same time, even if there are enough devices.
 *
 * <p>Thread-safe.
 */
public final class Parallelism {

    /** Marks an end time that is not known. */
    private static final long UNKNOWN = Long.MAX_VALUE;

    private final OptionalInt mostGroups;
    private final int cores;
    private final Map<Platform, Integer> devices;
    private final Function<GroupPlan, Optional<Duration>> expected;
    private final LongSupplier clock;

    private final ReentrantLock mutex = new ReentrantLock();
    private final Condition changed = mutex.newCondition();
    private final Deque<Place> line = new ArrayDeque<>();
    private final Set<Place> atWork = new HashSet<>();

    /** One group at work; must be closed when its work is done. */
    public interface Slot extends AutoCloseable {

        @Override
        void close();
    }

    /**
     * Create the limits of a run.
     *
     * @param mostGroups maximum number of groups at work at the same time, set by the user; empty for as many as fit
     * @param cores processors of this machine
     * @param devices devices of each platform
     * @param expected how long a group will be at work, rather too long than too short; empty if unknown
     * @param clock nanoseconds since an arbitrary moment
     */
    public Parallelism(
            OptionalInt mostGroups,
            int cores,
            Map<Platform, Integer> devices,
            Function<GroupPlan, Optional<Duration>> expected,
            LongSupplier clock) {
        this.mostGroups = mostGroups;
        this.cores = cores;
        this.devices = devices;
        this.expected = expected;
        this.clock = clock;
    }

    /** The maximum number of these groups that can be at work at the same time; determines the number of threads. */
    public int mostOf(Collection<GroupPlan> groups) {
        List<GroupPlan> together = new ArrayList<>();
        groups.stream()
                .sorted(Comparator.comparingInt(GroupPlan::ranks))
                .filter(group -> fits(group, together))
                .forEach(together::add);
        return together.size();
    }

    /** The number of ranks of these groups that can be at work at the same time. */
    public int room(Collection<GroupPlan> groups) {
        return groups.stream()
                .map(GroupPlan::platform)
                .distinct()
                .mapToInt(platform -> mostGroups.isEmpty() && platform.isSimulator()
                        ? Math.min(cores, devices.getOrDefault(platform, 0))
                        : devices.getOrDefault(platform, 0))
                .max()
                .orElse(0);
    }

    /**
     * Wait until this group may work. It waits only for groups of this run, whose tests all have a deadline.
     *
     * @param shared the resources that its class shares with others; called only if other groups are at work
     * @throws ReservationException if the thread is interrupted while waiting
     */
    public Slot enter(GroupPlan group, Supplier<SharedResources> shared) {
        Place place = new Place(group, shared);
        mutex.lock();
        try {
            line.addLast(place);
            while (!place.equals(next())) {
                changed.await();
            }
            place.begin();
            atWork.add(place);
            return place;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ReservationException("interrupted while waiting for other groups of this run", e);
        } finally {
            line.remove(place);
            changed.signalAll();
            mutex.unlock();
        }
    }

    /** The next group to start: the first in the queue, or else the first later one that does not delay it. */
    private @Nullable Place next() {
        Place head = line.peekFirst();
        if (head == null || mayWorkBeside(head, atWork)) {
            return head;
        }
        long turn = turnOf(head);
        if (turn == UNKNOWN) {
            return null;
        }
        Set<Place> then = atWork.stream().filter(place -> place.end > turn).collect(Collectors.toSet());
        for (Place place : line) {
            if (mayWorkBeside(place, atWork)
                    && (place.expectedEnd() <= turn || mayWorkBeside(head, and(then, place)))) {
                return place;
            }
        }
        return null;
    }

    /** When enough groups will have ended for the head to start; unknown if one at work has no expected end or is late. */
    private long turnOf(Place head) {
        Set<Place> left = new HashSet<>(atWork);
        List<Place> byEnd = atWork.stream()
                .sorted(Comparator.comparingLong((Place place) -> place.end))
                .toList();
        if (byEnd.stream().anyMatch(place -> place.end == UNKNOWN || place.end <= clock.getAsLong())) {
            return UNKNOWN;
        }
        for (Place place : byEnd) {
            left.remove(place);
            if (mayWorkBeside(head, left)) {
                return place.end;
            }
        }
        return UNKNOWN;
    }

    private static Set<Place> and(Set<Place> places, Place another) {
        Set<Place> all = new HashSet<>(places);
        all.add(another);
        return all;
    }

    private boolean mayWorkBeside(Place place, Set<Place> others) {
        return fits(place.group, others.stream().map(other -> other.group).toList())
                && others.stream().allMatch(other -> place.shared().goesWith(other.shared()));
    }

    private boolean fits(GroupPlan group, List<GroupPlan> others) {
        if (others.isEmpty()) {
            return true;
        }
        int onPlatform = ranks(others, platform -> platform == group.platform()) + group.ranks();
        if (onPlatform > devices.getOrDefault(group.platform(), 0)
                || others.size() >= mostGroups.orElse(Integer.MAX_VALUE)) {
            return false;
        }
        return mostGroups.isPresent()
                || !group.platform().isSimulator()
                || ranks(others, Platform::isSimulator) + group.ranks() <= cores;
    }

    private static int ranks(List<GroupPlan> groups, Predicate<Platform> on) {
        return groups.stream()
                .filter(group -> on.test(group.platform()))
                .mapToInt(GroupPlan::ranks)
                .sum();
    }

    /** A place in the queue, and later among the groups at work. */
    private final class Place implements Slot {

        private final GroupPlan group;
        private final Supplier<SharedResources> find;
        private final long expectedNanos;
        private @Nullable SharedResources found;
        private long end = UNKNOWN;

        Place(GroupPlan group, Supplier<SharedResources> find) {
            this.group = group;
            this.find = find;
            this.expectedNanos = expected.apply(group).map(Duration::toNanos).orElse(UNKNOWN);
        }

        /** When it would end if it started now. */
        long expectedEnd() {
            long now = clock.getAsLong();
            return expectedNanos >= UNKNOWN - now ? UNKNOWN : now + expectedNanos;
        }

        void begin() {
            end = expectedEnd();
        }

        SharedResources shared() {
            SharedResources known = found;
            if (known == null) {
                known = find.get();
                found = known;
            }
            return known;
        }

        @Override
        public void close() {
            mutex.lock();
            try {
                atWork.remove(this);
                changed.signalAll();
            } finally {
                mutex.unlock();
            }
        }
    }
}
