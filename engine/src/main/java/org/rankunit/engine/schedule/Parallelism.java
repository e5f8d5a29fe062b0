package org.rankunit.engine.schedule;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.config.Platform;
import org.rankunit.engine.discovery.SharedResources;
import org.rankunit.engine.plan.GroupPlan;

/**
 * Decides how many groups of this run work at the same time, and lets them begin in the order in which they ask.
 *
 * <p>Without a number from the user, ranks on a simulator share the cores: no more of them work at once than there are
 * cores, except that one group may always work. On hardware, and beyond that always, the devices are the limit. Classes
 * that share what they change do not work at the same time, whatever room there is.
 *
 * <p>Thread-safe.
 */
public final class Parallelism {

    private final OptionalInt mostGroups;
    private final int cores;
    private final Map<Platform, Integer> devices;

    private final ReentrantLock mutex = new ReentrantLock();
    private final Condition changed = mutex.newCondition();
    private final Deque<Place> line = new ArrayDeque<>();
    private final Map<Platform, Integer> ranksAtWork = new EnumMap<>(Platform.class);
    private final Set<Place> atWork = new HashSet<>();

    /** One group at work; closed when it has done its work. */
    public interface Slot extends AutoCloseable {

        @Override
        void close();
    }

    /**
     * Make a limit.
     *
     * @param mostGroups groups at work at the same time, as the user wants it; empty for as many as there is room for
     * @param cores processors of this machine
     * @param devices devices of each platform
     */
    public Parallelism(OptionalInt mostGroups, int cores, Map<Platform, Integer> devices) {
        this.mostGroups = mostGroups;
        this.cores = cores;
        this.devices = devices;
    }

    /** How many of these groups can ever be at work at the same time: of use to know how many threads to have. */
    public int mostOf(Collection<GroupPlan> groups) {
        List<GroupPlan> smallestFirst = groups.stream()
                .sorted((a, b) -> Integer.compare(a.ranks(), b.ranks()))
                .toList();
        Map<Platform, Integer> ranks = new EnumMap<>(Platform.class);
        int together = 0;
        for (GroupPlan group : smallestFirst) {
            if (fits(group, together, ranks)) {
                ranks.merge(group.platform(), group.ranks(), Integer::sum);
                together++;
            }
        }
        return together;
    }

    /**
     * Wait until this group may work. It waits for groups of this run alone, each of whose tests has a deadline.
     *
     * @param shared what its class shares with others; asked for only where others are at work
     * @throws ReservationException if the thread is interrupted meanwhile
     */
    public Slot enter(GroupPlan group, Supplier<SharedResources> shared) {
        Place place = new Place(group, shared);
        mutex.lock();
        try {
            line.addLast(place);
            while (!place.equals(line.peekFirst()) || !fits(group, atWork.size(), ranksAtWork) || !goesWithAll(place)) {
                changed.await();
            }
            atWork.add(place);
            ranksAtWork.merge(group.platform(), group.ranks(), Integer::sum);
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

    private boolean goesWithAll(Place place) {
        return atWork.stream().allMatch(other -> place.shared().goesWith(other.shared()));
    }

    private boolean fits(GroupPlan group, int groups, Map<Platform, Integer> ranks) {
        if (groups == 0) {
            return true;
        }
        int onPlatform = ranks.getOrDefault(group.platform(), 0) + group.ranks();
        if (onPlatform > devices.getOrDefault(group.platform(), 0) || groups >= mostGroups.orElse(Integer.MAX_VALUE)) {
            return false;
        }
        return mostGroups.isPresent()
                || !group.platform().isSimulator()
                || onSimulators(ranks) + group.ranks() <= cores;
    }

    private static int onSimulators(Map<Platform, Integer> ranks) {
        return ranks.entrySet().stream()
                .filter(entry -> entry.getKey().isSimulator())
                .mapToInt(Map.Entry::getValue)
                .sum();
    }

    /** A place in the line, and later at work. */
    private final class Place implements Slot {

        private final GroupPlan group;
        private final Supplier<SharedResources> find;
        private @Nullable SharedResources found;

        Place(GroupPlan group, Supplier<SharedResources> find) {
            this.group = group;
            this.find = find;
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
                ranksAtWork.merge(group.platform(), -group.ranks(), Integer::sum);
                changed.signalAll();
            } finally {
                mutex.unlock();
            }
        }
    }
}
