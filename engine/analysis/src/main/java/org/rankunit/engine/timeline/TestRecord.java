package org.rankunit.engine.timeline;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The part of a rank's log that belongs to one test, of which events are read on demand: a long test has
 * more than memory has room for. Thread-safe.
 */
public final class TestRecord {

    private final EventLogFile log;
    private final long begin;
    private final long end;
    private final TestRange empty;

    /**
     * A part.
     *
     * @param begin the index of its first event
     * @param end that after its last one
     * @param empty what was introduced before, without events
     */
    TestRecord(EventLogFile log, long begin, long end, TestRange empty) {
        this.log = log;
        this.begin = begin;
        this.end = end;
        this.empty = empty;
    }

    /** What is known of a rank that has recorded nothing of the test. */
    public static TestRecord none() {
        return new TestRecord(EventLogFile.none(), 0, 0, new TestRange(List.of(), Map.of(), List.of(), number -> ""));
    }

    /** The index of the first event. */
    public long begin() {
        return begin;
    }

    /** The index after the last event. */
    public long end() {
        return end;
    }

    /** How many events there are, and texts between them. */
    public long count() {
        return end - begin;
    }

    /** The kind of an event; {@code null} for a text, for what is not there yet, and for what this version does not know. */
    public @Nullable EventKind kind(long index) {
        return EventKind.of(log.kind(index));
    }

    public int actor(long index) {
        return log.actor(index);
    }

    /** A word of an event, of which {@link EventKind} tells the meaning. */
    public long word(long index, int number) {
        return log.word(index, number);
    }

    /** Returns an event; {@code null} if {@link #kind} returns it, or a number in it stands for nothing. */
    public @Nullable LoggedEvent event(long index) {
        return log.event(index);
    }

    /** All events. */
    public TestRange range() {
        List<LoggedEvent> events = new ArrayList<>();
        for (long index = begin; index < end; index++) {
            LoggedEvent event = event(index);
            if (event != null) {
                events.add(event);
            }
        }
        return range(events, empty::text);
    }

    /**
     * Other events in place of these.
     *
     * @param texts what numbers of texts stand for in them
     */
    public TestRange range(List<LoggedEvent> events, IntFunction<String> texts) {
        return empty.with(events, texts);
    }

    public String text(int number) {
        return empty.text(number);
    }
}
