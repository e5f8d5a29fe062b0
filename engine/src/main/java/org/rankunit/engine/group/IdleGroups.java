package org.rankunit.engine.group;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.config.Platform;
import org.rankunit.engine.schedule.Workers;
import org.rankunit.engine.site.GroupKind;

/**
 * Groups that are currently idle. While there are any, checks periodically whether another run waits for their devices,
 * and ends the groups whose devices are wanted. Thread-safe.
 */
final class IdleGroups {

    private static final long LOOK_MILLIS = 500;

    private final Predicate<Platform> isAwaited;
    private final Workers workers;
    private final Consumer<RankGroup> end;

    /** A group, and since when it has been idle, by {@link System#nanoTime()}. */
    private record Idle(RankGroup group, long since) {

        /** A run that moves from one class to the next leaves its group idle for a moment, and must not lose it then. */
        boolean isForLong() {
            return System.nanoTime() - since >= TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS);
        }
    }

    // Guarded by this.
    private final Deque<Idle> groups = new ArrayDeque<>();
    private boolean watched;
    private boolean closed;

    /**
     * Keep groups.
     *
     * @param isAwaited whether a request waits for devices of a platform
     * @param workers provides the thread that checks
     * @param end ends a group
     */
    IdleGroups(Predicate<Platform> isAwaited, Workers workers, Consumer<RankGroup> end) {
        this.isAwaited = isAwaited;
        this.workers = workers;
        this.end = end;
    }

    synchronized void add(RankGroup group) {
        groups.addLast(new Idle(group, System.nanoTime()));
        if (!watched) {
            watched = true;
            workers.start("rankunit-idle-groups", this::watch);
        }
    }

    synchronized boolean has(GroupKind kind) {
        return groups.stream().anyMatch(idle -> idle.group.kind().equals(kind));
    }

    /** Take a group of this kind, if there is one. */
    synchronized @Nullable RankGroup remove(GroupKind kind) {
        Optional<Idle> found =
                groups.stream().filter(idle -> idle.group.kind().equals(kind)).findFirst();
        found.ifPresent(groups::remove);
        return found.map(Idle::group).orElse(null);
    }

    /** Take the group that has been idle for longest, if there is one. */
    synchronized @Nullable RankGroup poll() {
        Idle first = groups.pollFirst();
        return first == null ? null : first.group;
    }

    /** Stop checking. The caller must take the groups that are left. */
    synchronized void close() {
        closed = true;
        notifyAll();
    }

    private void watch() {
        for (List<RankGroup> awaited = takeAwaited(); !awaited.isEmpty(); awaited = takeAwaited()) {
            awaited.forEach(end);
        }
    }

    /**
     * Wait until the devices of idle groups are needed, and take these groups. Returns an empty list if there is nothing left
     * to watch.
     */
    private synchronized List<RankGroup> takeAwaited() {
        try {
            while (!closed && !groups.isEmpty()) {
                List<Idle> awaited = groups.stream()
                        .filter(idle -> idle.isForLong()
                                && isAwaited.test(idle.group.kind().platform()))
                        .toList();
                if (!awaited.isEmpty()) {
                    groups.removeAll(awaited);
                    return awaited.stream().map(Idle::group).toList();
                }
                wait(LOOK_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        watched = false;
        return List.of();
    }
}
