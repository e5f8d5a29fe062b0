package org.rankunit.engine.timeline.order;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Keeps, for each byte, who wrote it last and who has read it since, as far as later users must be told of them. Not thread-safe.
 *
 * @param <U> a user of bytes
 */
final class LastUsers<U> {

    private final NavigableMap<Long, Segment<U>> segments = new TreeMap<>();

    /** Bytes with the same users, by their group. */
    private record Segment<U>(long end, Map<@Nullable Long, List<U>> writers, Map<@Nullable Long, List<U>> readers) {

        Segment(long end) {
            this(end, new HashMap<>(), new HashMap<>());
        }

        Segment<U> until(long otherEnd) {
            Segment<U> part = new Segment<>(otherEnd);
            writers.forEach((group, users) -> part.writers.put(group, new ArrayList<>(users)));
            readers.forEach((group, users) -> part.readers.put(group, new ArrayList<>(users)));
            return part;
        }

        void add(U user, @Nullable Long group, boolean writes) {
            (writes ? writers : readers)
                    .computeIfAbsent(group, each -> new ArrayList<>())
                    .add(user);
        }
    }

    /**
     * Add a user of the bytes in {@code [from, to)}.
     *
     * @param group to which the user belongs, or {@code null}. Users of a group are not told of each other, so none of them can stand
     *     for earlier users
     * @param comesAfter called for each earlier user if it or this one writes; more than once if they share several
     *     ranges. Returns whether this user comes after it
     */
    void add(U user, @Nullable Long group, long from, long to, boolean writes, Predicate<U> comesAfter) {
        if (from >= to) {
            return;
        }
        cover(from, to);
        boolean isOnly = writes && group == null;
        for (Segment<U> segment : segments.subMap(from, to).values()) {
            boolean isAfterAll = visit(segment.writers, group, comesAfter);
            if (writes) {
                isAfterAll &= visit(segment.readers, group, comesAfter);
            }
            isOnly &= isAfterAll;
            if (writes && group == null && isAfterAll) {
                segment.writers.clear();
                segment.readers.clear();
            }
            segment.add(user, group, writes);
        }
        if (isOnly) {
            segments.subMap(from, to).clear();
            Segment<U> whole = new Segment<>(to);
            whole.add(user, null, true);
            segments.put(from, whole);
        }
    }

    private boolean visit(Map<@Nullable Long, List<U>> others, @Nullable Long group, Predicate<U> comesAfter) {
        boolean all = true;
        for (Map.Entry<@Nullable Long, List<U>> ofGroup : others.entrySet()) {
            if (group == null || !group.equals(ofGroup.getKey())) {
                for (U other : ofGroup.getValue()) {
                    all &= comesAfter.test(other);
                }
            }
        }
        return all;
    }

    /** Make sure that segments begin and end there, with none missing in between. */
    private void cover(long from, long to) {
        split(from);
        split(to);
        long at = from;
        for (Map.Entry<Long, Segment<U>> each :
                List.copyOf(segments.subMap(from, to).entrySet())) {
            if (at < each.getKey()) {
                segments.put(at, new Segment<>(each.getKey()));
            }
            at = each.getValue().end();
        }
        if (at < to) {
            segments.put(at, new Segment<>(to));
        }
    }

    private void split(long at) {
        Map.Entry<Long, Segment<U>> before = segments.lowerEntry(at);
        if (before != null && before.getValue().end() > at) {
            Segment<U> whole = before.getValue();
            segments.put(before.getKey(), whole.until(at));
            segments.put(at, whole.until(whole.end()));
        }
    }
}
