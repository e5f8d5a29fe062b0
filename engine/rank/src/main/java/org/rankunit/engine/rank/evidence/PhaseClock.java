package org.rankunit.engine.rank.evidence;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.opentest4j.MultipleFailuresError;
import org.rankunit.engine.protocol.Phase;
import org.rankunit.engine.rank.failure.Failures;
import org.rankunit.golden.GoldenMismatchError;

/**
 * Measures the phases of the test that this rank runs. Between the entry of the test and its end, time counts as {@link Phase#RUN}
 * unless it belongs to another phase. Thread-safe; of phases that threads are in at the same time, only the first is measured.
 */
public final class PhaseClock {

    /** Of one test, for its timeline; a test may enter a barrier any number of times. */
    private static final int MAX_SPANS = 256;

    /** Of one test, for the report. */
    private static final int SOME_SPANS = 32;

    private final AtomicBoolean isMeasuring = new AtomicBoolean();

    // Guarded by this: nanoseconds by phase, before the entry and after it, each in the order in which they began.
    private final Map<Phase, Long> before = new EnumMap<>(Phase.class);
    private final Map<Phase, Long> within = new LinkedHashMap<>();
    private final List<Phase.Span> spans = new ArrayList<>();
    private int mostSpans;
    private int spansBefore;
    private Phase.@Nullable Span bringUpSpan;
    private long bringUpOfRank;
    private boolean isInside;
    private long entered;
    private @Nullable Throwable failure;
    private @Nullable Phase failedIn;

    /** Keep also when the phases were, as exactly as a timeline shows it. */
    public synchronized void keepSpans() {
        mostSpans = MAX_SPANS;
    }

    /** Keep also when the phases were, as exactly as the report shows it; once {@link #keepSpans} was called, that holds. */
    public synchronized void keepSomeSpans() {
        mostSpans = Math.max(mostSpans, SOME_SPANS);
    }

    /** The device and the communicator are up; this counts towards the first test that is entered. */
    public synchronized void rankIsUp(long nanos) {
        bringUpOfRank = nanos;
        long now = System.nanoTime();
        bringUpSpan = new Phase.Span(Phase.BRING_UP, now - nanos, now);
    }

    /** A test is about to ask whether it may run. */
    public synchronized void asks() {
        isInside = false;
        before.clear();
        within.clear();
        spans.clear();
        failure = null;
        failedIn = null;
    }

    /** The test was entered. */
    public synchronized void enters() {
        if (bringUpOfRank > 0) {
            before.merge(Phase.BRING_UP, bringUpOfRank, Long::sum);
            bringUpOfRank = 0;
            keep(Objects.requireNonNull(bringUpSpan));
        }
        isInside = true;
        spansBefore = spans.size();
        entered = System.nanoTime();
    }

    /** Do something that belongs to a phase. */
    public <T> T in(Phase phase, Supplier<T> action) {
        boolean measures = isMeasuring.compareAndSet(false, true);
        long begin = System.nanoTime();
        try {
            return action.get();
        } catch (RuntimeException | Error e) {
            fails(phase, e);
            throw e;
        } finally {
            if (measures) {
                add(phase, System.nanoTime() - begin);
                isMeasuring.set(false);
            }
        }
    }

    /** As {@link #in(Phase, Supplier)}, for something without a result. */
    public void in(Phase phase, Runnable action) {
        in(phase, () -> {
            action.run();
            return true;
        });
    }

    /** A part of a phase has ended that took this long. */
    public synchronized void add(Phase phase, long nanos) {
        (isInside ? within : before).merge(phase, nanos, Long::sum);
        if (mostSpans > 0) {
            long now = System.nanoTime();
            keep(new Phase.Span(phase, now - nanos, now));
        }
    }

    /** How long each phase of the test that was entered last has taken so far, without {@link Phase#RUN}. */
    public synchronized Map<Phase, Long> totals() {
        return Map.copyOf(within);
    }

    private void keep(Phase.Span span) {
        if (spans.size() < mostSpans || (mostSpans > 0 && isFirst(span.phase()))) {
            spans.add(span);
        }
    }

    private boolean isFirst(Phase phase) {
        for (int i = isInside ? spansBefore : 0; i < spans.size(); i++) {
            if (spans.get(i).phase() == phase) {
                return false;
            }
        }
        return true;
    }

    /**
     * When the phases were of the test that was entered last: at most the first 256 parts, or 32 for a report, but at least the first
     * of each phase; none unless they are kept. {@link Phase#RUN} is one part, which ends with the test and contains others.
     */
    public synchronized List<Phase.Span> spans() {
        return List.copyOf(spans);
    }

    private synchronized void fails(Phase phase, Throwable cause) {
        failure = cause;
        failedIn = phase;
    }

    /** The test has ended. Returns its phases, in the order in which they began. */
    public synchronized List<Phase.Time> ends() {
        if (!isInside) {
            return List.of();
        }
        isInside = false;
        long now = System.nanoTime();
        keep(new Phase.Span(Phase.RUN, entered, now));
        long run = now - entered;
        for (long nanos : within.values()) {
            run -= nanos;
        }
        List<Phase.Time> times = new ArrayList<>();
        addTo(times, before);
        times.add(new Phase.Time(Phase.RUN, Math.max(0, run)));
        addTo(times, within);
        return times;
    }

    /** A loop, since this happens after each test and the JVM of a rank makes little of lambdas. */
    private static void addTo(List<Phase.Time> times, Map<Phase, Long> of) {
        for (Map.Entry<Phase, Long> each : of.entrySet()) {
            times.add(new Phase.Time(each.getKey(), each.getValue()));
        }
    }

    /** The phase in which this was thrown; {@link Phase#RUN} if it is no other one. */
    public synchronized Phase of(Throwable thrown) {
        for (Throwable cause : Failures.withCauses(thrown)) {
            if (cause == failure && failedIn != null) {
                return failedIn;
            } else if (isOfGoldens(cause)) {
                return Phase.VERIFY;
            }
        }
        return Phase.RUN;
    }

    /** Also what {@code assertAll} throws; of a user's own class no method is called, since it may throw. */
    private static boolean isOfGoldens(Throwable thrown) {
        return thrown instanceof GoldenMismatchError
                || (thrown.getClass() == MultipleFailuresError.class
                        && ((MultipleFailuresError) thrown)
                                .getFailures().stream().allMatch(GoldenMismatchError.class::isInstance));
    }
}
