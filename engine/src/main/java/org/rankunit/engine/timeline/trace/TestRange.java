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
    private final List<Mapping> mappings = new ArrayList<>();
    private long begin = -1;
    private long end = Long.MAX_VALUE;

    /** A window as long as it is mapped: until the event with this index. */
    private record Mapping(LoggedEvent.Window window, long until) {

        Mapping endedBy(LoggedEvent.WindowsFreed freed) {
            boolean ends = until == Long.MAX_VALUE
                    && window.communicator() == freed.communicator()
                    && (freed.domain() == 0 || window.domain() == freed.domain());
            return ends ? new Mapping(window, freed.at().index()) : this;
        }

        boolean has(long address, long index) {
            long offset = address - window.address();
            return offset >= 0 && offset < window.bytes() && index > window.at().index() && index < until;
        }
    }

    /** Look for the last run of the test. */
    TestRange(EventLogFile log, String uniqueId) {
        this.log = log;
        log.forEach(0, event -> {
            if (event instanceof LoggedEvent.Actor actor) {
                actors.put(actor.at().actor(), actor);
            } else if (event instanceof LoggedEvent.Window window) {
                mappings.add(new Mapping(window, Long.MAX_VALUE));
            } else if (event instanceof LoggedEvent.WindowsFreed freed) {
                mappings.replaceAll(mapping -> mapping.endedBy(freed));
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
    Object cell(int rank, long address, LoggedEvent.Moment at) {
        record InWindow(long communicator, long domain, int ofRank, long offset) {}
        record InMemory(int rank, long address) {}
        return mappings.stream()
                .filter(mapping -> mapping.has(address, at.index()))
                .findFirst()
                .map(Mapping::window)
                .<Object>map(window -> new InWindow(
                        window.communicator(), window.domain(), window.ofRank(), address - window.address()))
                .orElseGet(() -> new InMemory(rank, address));
    }
}
