package org.rankunit.engine.link;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Notices that ranks on other nodes have not been heard for a while. A rank that is silent may only be slow or stopped; so what
 * follows is a question to its node. Not thread-safe.
 */
final class Silence {

    private final Duration limit;
    private final LongSupplier clock;

    /** When each rank was last heard, or its node was last asked about, as the clock counts. */
    private final Map<RankLink, Long> heard = new HashMap<>();

    /** @param limit how long a rank may be silent before its node is asked, and how often it is asked then */
    Silence(Duration limit) {
        this(limit, System::nanoTime);
    }

    /** @param clock counts as {@link System#nanoTime()} does */
    Silence(Duration limit, LongSupplier clock) {
        this.limit = limit;
        this.clock = clock;
    }

    void heard(RankLink link) {
        heard.put(link, clock.getAsLong());
    }

    void forget(RankLink link) {
        heard.remove(link);
    }

    /** The ranks whose nodes must be asked now. */
    List<RankLink> overdue() {
        long now = clock.getAsLong();
        List<RankLink> overdue = heard.entrySet().stream()
                .filter(each -> now - each.getValue() >= limit.toNanos())
                .map(Map.Entry::getKey)
                .toList();
        overdue.forEach(link -> heard.put(link, now));
        return overdue;
    }

    /** The time at which a rank will be overdue if that is before the given time, which otherwise is returned. */
    long nextBefore(long deadlineNanos) {
        long next = deadlineNanos;
        for (long each : heard.values()) {
            long due = each + limit.toNanos();
            next = due - next < 0 ? due : next;
        }
        return next;
    }
}
