package org.rankunit.engine.plan;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;

/**
 * How long one variant of a test or group took in its last few runs.
 *
 * @param last the day of the last run, in ISO-8601
 * @param micros the times in microseconds, the latest at the end
 */
public record Recorded(String platform, int ranks, String last, List<Long> micros) {

    /** Enough that one outlier does not change the median, and few enough that it soon follows when a test gets faster. */
    private static final int KEPT = 5;

    private static final long MAX = 1_000_000L * 86_400 * 7;

    public Recorded {
        LocalDate.parse(last);
        micros = List.copyOf(micros);
        if (ranks < 1 || micros.isEmpty() || micros.stream().anyMatch(time -> time < 0 || time > MAX)) {
            throw new IllegalArgumentException(micros + " on " + ranks + " ranks");
        }
    }

    /** The record of a first run. */
    public static Recorded first(String platform, int ranks, LocalDate day, long micros) {
        return new Recorded(platform, ranks, day.toString(), List.of(Math.min(micros, MAX)));
    }

    /** This record with the times of a later one added. */
    public Recorded then(Recorded next) {
        List<Long> all = new ArrayList<>(micros);
        all.addAll(next.micros);
        return new Recorded(platform, ranks, next.last, all.subList(Math.max(0, all.size() - KEPT), all.size()));
    }

    /** The usual time, in microseconds: the median, or the upper one of the two middle times. */
    public long usual() {
        return micros.stream().sorted().toList().get(micros.size() / 2);
    }
}
