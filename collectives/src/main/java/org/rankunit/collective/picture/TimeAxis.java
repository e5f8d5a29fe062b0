package org.rankunit.collective.picture;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Where each task is drawn. Time goes to the right, but not evenly: what takes no time has a width too, and where chunks are shown there
 * must be room for them.
 */
final class TimeAxis {

    private static final double USUAL = 96;
    private static final double LEAST = 46;
    private static final double MAX = 420;
    private static final double SIGNAL = 3;
    private static final double COPY = 30;
    private static final double GAP = 2;
    private static final double BETWEEN_STATES = 10;

    private final List<Item> items;
    private final double[] lefts;
    private final double[] rights;
    private final TreeMap<Long, Double> moments = new TreeMap<>();
    private final Map<List<Integer>, Double> cursors = new HashMap<>();
    private final Set<Integer> open = new HashSet<>();
    private double furthest;

    private TimeAxis(List<Item> items) {
        this.items = items;
        this.lefts = new double[items.size()];
        this.rights = new double[items.size()];
    }

    /**
     * Place all items.
     *
     * @param states moments at which chunks are shown
     * @param room that each of these needs
     */
    static TimeAxis of(List<Item> items, Set<Long> states, double from, double room) {
        TimeAxis axis = new TimeAxis(items);
        axis.place(states, from, room);
        return axis;
    }

    private void place(Set<Long> states, double from, double room) {
        TreeSet<Long> times = new TreeSet<>(states);
        times.add(0L);
        items.forEach(item -> {
            times.add(item.begin());
            times.add(item.end());
        });
        List<Integer> order = IntStream.range(0, items.size())
                .boxed()
                .sorted(Comparator.comparingLong(i -> items.get(i).begin()))
                .toList();
        double scale = scale();
        double x = from;
        double stateEnd = from;
        long before = 0;
        int next = 0;
        for (long time : times) {
            x = Math.max(furthest, x + Math.min(MAX, (time - before) * scale));
            x = states.contains(time) ? Math.max(x, stateEnd) : x;
            x = ended(time, x);
            moments.put(time, x);
            furthest = Math.max(furthest, x);
            while (next < order.size() && items.get(order.get(next)).begin() == time) {
                begin(order.get(next++), x);
            }
            stateEnd = states.contains(time) ? x + room + BETWEEN_STATES : stateEnd;
            before = time;
        }
        furthest = Math.max(furthest, stateEnd);
    }

    /** A usual transfer has the usual width. */
    private double scale() {
        List<Long> durations = items.stream()
                .filter(Item::takesTime)
                .map(item -> item.end() - item.begin())
                .sorted()
                .toList();
        return durations.isEmpty() ? 0 : USUAL / durations.get(durations.size() / 2);
    }

    private double ended(long time, double earliest) {
        List<Integer> now = new ArrayList<>();
        double x = earliest;
        for (int each : open) {
            if (items.get(each).end() == time) {
                now.add(each);
                x = Math.max(x, lefts[each] + LEAST);
            }
        }
        for (int each : now) {
            open.remove(each);
            rights[each] = x;
            cursors.put(stream(each), x);
        }
        return x;
    }

    private void begin(int number, double moment) {
        Item item = items.get(number);
        double left = Math.max(moment, cursors.getOrDefault(stream(number), 0.0) + GAP);
        left = item.post() < 0 ? left : Math.max(left, lefts[item.post()] + SIGNAL + GAP);
        lefts[number] = left;
        if (item.takesTime()) {
            open.add(number);
            return;
        }
        rights[number] = left + (item.task().kind().movesData() ? COPY : SIGNAL);
        cursors.put(stream(number), rights[number]);
        furthest = Math.max(furthest, rights[number] + GAP);
    }

    private List<Integer> stream(int number) {
        return List.of(items.get(number).task().rank(), items.get(number).task().stream());
    }

    double left(int number) {
        return lefts[number];
    }

    double right(int number) {
        return rights[number];
    }

    /** Where a stream has come to. */
    double end(int rank, int stream) {
        return cursors.getOrDefault(List.of(rank, stream), moments.firstEntry().getValue());
    }

    double at(long moment) {
        Double x = moments.get(moment);
        if (x == null) {
            throw new IllegalArgumentException("nothing happens at " + moment);
        }
        return x;
    }

    /** The end of all. */
    double right() {
        return furthest;
    }
}
