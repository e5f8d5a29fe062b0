package org.rankunit.pool;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;

/** Which devices a request gets: the lowest run of neighbouring ids that is free, or else the lowest free ids. */
final class DeviceChoice {

    private DeviceChoice() {}

    /**
     * Choose {@code count} of {@code devices}.
     *
     * @param devices ids, ascending
     * @param free asked at most once per device, and only for as many devices as the choice takes
     * @return the chosen ids, ascending; empty if fewer than {@code count} are free, and then every device was asked for
     */
    static Optional<List<Integer>> choose(List<Integer> devices, int count, IntPredicate free) {
        Map<Integer, Boolean> known = new HashMap<>();
        IntPredicate askedOnce = device -> known.computeIfAbsent(device, free::test);
        for (int from = 0; from + count <= devices.size(); from++) {
            List<Integer> run = devices.subList(from, from + count);
            if (run.get(count - 1) - run.get(0) == count - 1 && run.stream().allMatch(askedOnce::test)) {
                return Optional.of(List.copyOf(run));
            }
        }
        List<Integer> lowest =
                devices.stream().filter(askedOnce::test).limit(count).toList();
        return lowest.size() < count ? Optional.empty() : Optional.of(lowest);
    }
}
