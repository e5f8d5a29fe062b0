package org.rankunit.engine.merge.rounds;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.rankunit.engine.protocol.FromRank;
import org.rankunit.engine.protocol.Phase;

/**
 * The rounds of one test, over all its ranks. Only rounds that ended on every rank count. Times are in nanoseconds.
 *
 * @param measured number of rounds that the test measures
 * @param warmUp number of rounds before these
 * @param phases for each rank and phase, the times of the rounds that count; empty if none does
 * @param rounds the rounds that count, in their order
 */
public record RoundStatistics(int measured, int warmUp, List<OfPhase> phases, List<Round> rounds) {

    private static final double PERCENTILE = 0.99;

    private static final double NANOS_PER_MILLI = 1e6;

    /** The shortest, the median and the 99th percentile, by nearest rank, of one phase on one rank. */
    public record OfPhase(int rank, Phase phase, long min, long median, long p99) {}

    /**
     * One round that ended on every rank.
     *
     * @param slowest the rank that took longest from its own start to its own end
     * @param fastest the rank that took the shortest time
     * @param longest how long the slowest took
     * @param shortest how long the fastest took
     * @param skew how long after the first rank the last one started
     */
    public record Round(int slowest, int fastest, long longest, long shortest, long skew) {}

    /** Number of rounds that did not end on every rank, and are left out. */
    public int dropped() {
        return measured - rounds.size();
    }

    /** The statistics of a test on so many ranks; empty if it has no rounds. */
    public static Optional<RoundStatistics> of(SortedMap<Integer, FromRank.Rounds> byRank, int ranks) {
        if (byRank.isEmpty()) {
            return Optional.empty();
        }
        FromRank.Rounds any = byRank.values().iterator().next();
        int complete = byRank.size() < ranks
                ? 0
                : byRank.values().stream()
                        .mapToInt(each -> each.ends().size())
                        .min()
                        .orElse(0);
        List<Round> rounds = new ArrayList<>();
        for (int round = 0; round < complete; round++) {
            rounds.add(round(byRank, round));
        }
        List<OfPhase> phases = new ArrayList<>();
        if (complete > 0) {
            byRank.forEach((rank, each) -> each.phases().stream()
                    .sorted(Comparator.comparing(FromRank.Rounds.PhaseTimes::phase))
                    .forEach(times -> phases.add(phase(rank, times, complete))));
        }
        return Optional.of(new RoundStatistics(any.measured(), any.warmUp(), phases, rounds));
    }

    private static Round round(SortedMap<Integer, FromRank.Rounds> byRank, int round) {
        SortedMap<Integer, Long> times = new TreeMap<>();
        byRank.forEach((rank, each) ->
                times.put(rank, each.ends().get(round) - each.begins().get(round)));
        Comparator<Map.Entry<Integer, Long>> byTime = Map.Entry.comparingByValue();
        Map.Entry<Integer, Long> slowest = times.entrySet().stream().max(byTime).orElseThrow();
        Map.Entry<Integer, Long> fastest = times.entrySet().stream().min(byTime).orElseThrow();
        long[] begins = byRank.values().stream()
                .mapToLong(each -> each.begins().get(round))
                .sorted()
                .toArray();
        return new Round(
                slowest.getKey(),
                fastest.getKey(),
                slowest.getValue(),
                fastest.getValue(),
                begins[begins.length - 1] - begins[0]);
    }

    private static OfPhase phase(int rank, FromRank.Rounds.PhaseTimes times, int complete) {
        long[] sorted = times.nanos().stream()
                .limit(complete)
                .mapToLong(Long::longValue)
                .sorted()
                .toArray();
        return new OfPhase(rank, times.phase(), sorted[0], median(sorted), percentile(sorted));
    }

    private static long median(long[] sorted) {
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    private static long percentile(long[] sorted) {
        return sorted[(int) Math.ceil(PERCENTILE * sorted.length) - 1];
    }

    /** One line for people: how many rounds, how long the slowest rank took, and how far apart the ranks started. */
    public String text() {
        String count = rounds.size()
                + (rounds.size() == 1 ? " round" : " rounds")
                + (warmUp > 0 ? " after " + warmUp + " to warm up" : "")
                + (dropped() > 0 ? " (" + dropped() + " more did not end on every rank)" : "");
        if (rounds.isEmpty()) {
            return count;
        }
        long[] longest = rounds.stream().mapToLong(Round::longest).sorted().toArray();
        long[] skews = rounds.stream().mapToLong(Round::skew).sorted().toArray();
        return count + ": min " + millis(longest[0]) + ", median " + millis(median(longest)) + ", p99 "
                + millis(percentile(longest)) + " on the slowest rank" + mostOften() + "; start skew median "
                + millis(median(skews)) + ", p99 " + millis(percentile(skews));
    }

    private String mostOften() {
        int[] times = new int[1 + rounds.stream().mapToInt(Round::slowest).max().orElse(0)];
        rounds.forEach(round -> times[round.slowest()]++);
        int most = Arrays.stream(times).max().orElse(0);
        int rank = 0;
        while (times[rank] < most) {
            rank++;
        }
        return times.length == 1 ? "" : ", which was rank " + rank + " in " + most + " of " + rounds.size();
    }

    private static String millis(long nanos) {
        return Math.round(nanos / NANOS_PER_MILLI * 1000) / 1000.0 + " ms";
    }
}
