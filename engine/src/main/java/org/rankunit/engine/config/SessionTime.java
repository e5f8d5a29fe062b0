package org.rankunit.engine.config;

import java.time.Duration;
import java.util.Optional;

/** How long a run may take in all, from its start on. Every wait of the run ends with it. Thread-safe. */
public final class SessionTime {

    private final Optional<Duration> limit;
    private final long begin = System.nanoTime();

    private SessionTime(Optional<Duration> limit) {
        this.limit = limit;
    }

    /** Begin a run; without a limit it may take for ever. */
    public static SessionTime begin(Optional<Duration> limit) {
        return new SessionTime(limit);
    }

    /** The end of a wait that may last until {@code deadlineNanos}, on the clock of {@link System#nanoTime}. */
    public long cap(long deadlineNanos) {
        if (limit.isEmpty()) {
            return deadlineNanos;
        }
        long end = begin + limit.get().toNanos();
        return end - deadlineNanos < 0 ? end : deadlineNanos;
    }

    /** How long a wait may take that usually may take {@code usual}; not negative. */
    public Duration cap(Duration usual) {
        long now = System.nanoTime();
        return Duration.ofNanos(Math.max(0, cap(now + usual.toNanos()) - now));
    }

    /** Whether there is no time left. */
    public boolean isOver() {
        return limit.isPresent() && System.nanoTime() - begin - limit.get().toNanos() >= 0;
    }

    /** Say of something that {@link #isOver} has ended why it has. */
    public String describe() {
        String millis = limit.map(Duration::toMillis).map(n -> n + " ms").orElse("no limit");
        return "the time of the whole run was over, " + millis + " (" + ConfigKey.SESSION_TIMEOUT.key() + ")";
    }
}
