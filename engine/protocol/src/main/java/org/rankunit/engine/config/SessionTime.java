package org.rankunit.engine.config;

import java.time.Duration;
import java.util.Optional;

/** The time limit of a run, counted from its start. No wait of the run exceeds it. Thread-safe. */
public final class SessionTime {

    private final Optional<Duration> limit;
    private final long begin = System.nanoTime();

    private SessionTime(Optional<Duration> limit) {
        this.limit = limit;
    }

    /** Starts the time of a run. Without a limit the run may take forever. */
    public static SessionTime begin(Optional<Duration> limit) {
        return new SessionTime(limit);
    }

    /**
     * Returns the deadline of a wait that may last until {@code deadlineNanos}, both as {@link System#nanoTime} counts.
     */
    public long cap(long deadlineNanos) {
        if (limit.isEmpty()) {
            return deadlineNanos;
        }
        long end = begin + limit.get().toNanos();
        return end - deadlineNanos < 0 ? end : deadlineNanos;
    }

    /** Returns how long a wait may take that is otherwise limited to {@code usual}; not negative. */
    public Duration cap(Duration usual) {
        long now = System.nanoTime();
        return Duration.ofNanos(Math.max(0, cap(now + usual.toNanos()) - now));
    }

    /** Whether there is no time left. */
    public boolean isOver() {
        return limit.isPresent() && System.nanoTime() - begin - limit.get().toNanos() >= 0;
    }

    /** Returns why something was ended because {@link #isOver} is true. */
    public String describe() {
        String millis = limit.map(Duration::toMillis).map(n -> n + " ms").orElse("no limit");
        return "the time limit of the whole run was reached, " + millis + " (" + ConfigKey.SESSION_TIMEOUT.key() + ")";
    }
}
