package org.rankunit.engine.plan;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;

/**
 * How long one variant of something took, the last few times.
 *
 * @param last the day of the last time, in ISO-8601
 * @param micros the times in microseconds, the last one at the end
 */
public record Recorded(String platform, int ranks, String last, List<Long> micros) {

    /** So many that one odd time is outvoted, and so few that a test that was made faster is soon taken for fast. */
    private static final int KEPT = 5;

    private static final long MOST = 1_000_000L * 86_400 * 7;

    public Recorded {
        LocalDate.parse(last);
        micros = List.copyOf(micros);
        if (ranks < 1 || micros.isEmpty() || micros.stream().anyMatch(time -> time < 0 || time > MOST)) {
            throw new IllegalArgumentException(micros + " on " + ranks + " ranks");
        }
    }

    /** The first time of something. */
    public static Recorded first(String platform, int ranks, LocalDate day, long micros) {
        return new Recorded(platform, ranks, day.toString(), List.of(Math.min(micros, MOST)));
    }

    /** The same, one time later. */
    public Recorded then(Recorded next) {
        List<Long> all = new ArrayList<>(micros);
        all.addAll(next.micros);
        return new Recorded(platform, ranks, next.last, all.subList(Math.max(0, all.size() - KEPT), all.size()));
    }

    /** What it usually takes, in microseconds: the median, of two the longer one. */
    public long usual() {
        return micros.stream().sorted().toList().get(micros.size() / 2);
    }
}
