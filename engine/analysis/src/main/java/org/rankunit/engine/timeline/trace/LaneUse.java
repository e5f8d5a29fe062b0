package org.rankunit.engine.timeline.trace;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * For how much of a test a core or a stream was busy. Waits of a stream do not count.
 *
 * @param lane {@code "vector core 3"}, for example
 * @param share of the time of the test on its rank, from 0 to 1
 */
public record LaneUse(int rank, String lane, double share) {

    /** Of so many lanes of a rank it is told: all cores, and as many streams as there is room for. */
    private static final int MAX = 256;

    /** Look at the slices of one rank; lanes are in the order of their numbers, cores first. */
    static List<LaneUse> of(int rank, List<Slice> slices) {
        Slice test = slices.stream()
                .filter(slice -> slice.category().equals("test"))
                .findFirst()
                .orElse(null);
        if (test == null || test.end() == test.begin()) {
            return List.of();
        }
        Map<Lane, List<Slice>> lanes = slices.stream()
                .filter(slice -> slice.lane().isWorker())
                .collect(Collectors.groupingBy(
                        Slice::lane,
                        () -> new TreeMap<>(Comparator.comparing(Lane::isStream).thenComparingInt(Lane::number)),
                        Collectors.toList()));
        List<LaneUse> uses = new ArrayList<>();
        lanes.forEach((lane, ofLane) -> uses.add(
                new LaneUse(rank, lane.name(), (double) busyNanos(ofLane, test) / (test.end() - test.begin()))));
        return uses.subList(0, Math.min(MAX, uses.size()));
    }

    String text() {
        return lane + " " + String.format(Locale.ROOT, "%.1f %%", 100 * share);
    }

    /** Slices of a lane may overlap. */
    private static long busyNanos(List<Slice> slices, Slice test) {
        long busy = 0;
        long until = test.begin();
        for (Slice slice : slices.stream().sorted(Rows.ORDER).toList()) {
            if (slice.category().equals(Slice.WAIT)) {
                continue;
            }
            long begin = Math.max(until, slice.begin());
            long end = Math.min(test.end(), slice.end());
            if (end > begin) {
                busy += end - begin;
                until = end;
            }
        }
        return busy;
    }
}
