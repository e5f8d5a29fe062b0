package org.rankunit.engine.timeline.trace;

import java.util.LinkedHashMap;
import java.util.Map;

/** Something with a duration on a lane. Not thread-safe. */
final class Slice {

    /** The category of what only waits. */
    static final String WAIT = "wait";

    private static final String UNFINISHED = "unfinished";
    private static final int NONE = -1;

    private final Lane lane;
    private final String category;
    private final long begin;
    private String name;
    private long end;

    /** Shown when it is selected, by name. */
    private final Map<String, String> details = new LinkedHashMap<>();

    /** Which of the lane's rows it is in. */
    private int row = NONE;

    /** A slice that has not ended. */
    Slice(Lane lane, String category, String name, long begin) {
        this.lane = lane;
        this.category = category;
        this.name = name;
        this.begin = begin;
        this.end = begin;
        details.put(UNFINISHED, "true");
    }

    Slice endAt(long nanos) {
        end = Math.max(begin, nanos);
        details.remove(UNFINISHED);
        return this;
    }

    /** If it has not ended, let it reach the end of the timeline. */
    void reach(long nanos) {
        if (details.containsKey(UNFINISHED)) {
            end = Math.max(begin, nanos);
        }
    }

    Slice detail(String key, Object value) {
        details.put(key, String.valueOf(value));
        return this;
    }

    void rename(String better) {
        name = better;
    }

    void row(int number) {
        row = number;
    }

    /** Whether it has been given a row. */
    boolean isShown() {
        return row != NONE;
    }

    Lane lane() {
        return lane;
    }

    int row() {
        return row;
    }

    String category() {
        return category;
    }

    String name() {
        return name;
    }

    long begin() {
        return begin;
    }

    long end() {
        return end;
    }

    Map<String, String> details() {
        return details;
    }

    /** The time nearest to this one that is within the slice and not at its end, where the next one may begin. */
    long within(long nanos) {
        return Math.max(begin, Math.min(nanos, end - 1));
    }
}
