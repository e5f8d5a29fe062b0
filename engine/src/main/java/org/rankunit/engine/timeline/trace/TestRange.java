package org.rankunit.engine.timeline.trace;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.timeline.EventLogFile;
import org.rankunit.engine.timeline.LoggedEvent;

/** The part of a rank's log that belongs to one test, and what was introduced before it. Not thread-safe. */
final class TestRange {

    private final EventLogFile log;
    private final Map<Integer, LoggedEvent.Actor> actors = new HashMap<>();
    private final List<LoggedEvent.Window> windows = new ArrayList<>();
    private long begin = -1;
    private long end = Long.MAX_VALUE;

    /** Look for the last run of the test. */
    TestRange(EventLogFile log, String uniqueId) {
        this.log = log;
        log.forEach(0, event -> {
            if (event instanceof LoggedEvent.Actor actor) {
                actors.put(actor.at().actor(), actor);
            } else if (event instanceof LoggedEvent.Window window) {
                windows.add(window);
            } else if (event instanceof LoggedEvent.Mark mark
                    && log.text(mark.text()).equals(uniqueId)) {
                mark(mark);
            }
        });
    }

    private void mark(LoggedEvent.Mark mark) {
        if (mark.begin()) {
            begin = mark.at().index();
            end = Long.MAX_VALUE;
        } else {
            end = mark.at().index();
        }
    }

    /** Whether the test has begun on this rank, and its begin was not dropped. */
    boolean isThere() {
        return begin >= 0;
    }

    /** The events of the test, the marks of its begin and end included; without the latter if it has not ended. */
    List<LoggedEvent> events() {
        List<LoggedEvent> events = new ArrayList<>();
        log.forEach(begin, event -> {
            if (event.at().index() <= end) {
                events.add(event);
            }
        });
        return events;
    }

    /** A stream or an orchestration function. */
    LoggedEvent.@Nullable Actor actor(int number) {
        return actors.get(number);
    }

    String text(int number) {
        return log.text(number);
    }

    /** Identify a cell among all ranks, each of which may map a window at another address. */
    Object cell(int rank, long address) {
        record InWindow(long communicator, long domain, int ofRank, long offset) {}
        record InMemory(int rank, long address) {}
        for (LoggedEvent.Window window : windows) {
            long offset = address - window.address();
            if (offset >= 0 && offset < window.bytes()) {
                return new InWindow(window.communicator(), window.domain(), window.ofRank(), offset);
            }
        }
        return new InMemory(rank, address);
    }
}
