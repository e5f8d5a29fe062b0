package org.rankunit.engine.timeline;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The log of a rank, read once however many tests are looked at. Thread-safe. */
public final class RankLog {

    private final EventLogFile log;
    private final Map<Integer, LoggedEvent.Actor> actors = new HashMap<>();
    private final List<TestRange.Mapping> mappings = new ArrayList<>();

    /** The last run of each test, by its id. */
    private final Map<String, Run> runs = new HashMap<>();

    private long looked;

    /** A test from its begin to its end, both of them indices of marks. */
    private record Run(long begin, long end) {}

    private RankLog(EventLogFile log) {
        this.log = log;
    }

    /**
     * Open a log.
     *
     * @throws IOException if the file cannot be read, or is no log of this version
     */
    public static RankLog open(Path file) throws IOException {
        return new RankLog(EventLogFile.open(file));
    }

    /** Get what belongs to a test; empty if it has not begun, or its begin was dropped. */
    public synchronized Optional<TestRange> range(String uniqueId) {
        log.refresh();
        log.forEach(looked, this::look);
        looked = log.count();
        Run run = runs.get(uniqueId);
        return run == null ? Optional.empty() : Optional.of(new TestRange(events(run), actors, mappings, this::text));
    }

    /** Get what belongs to a test that has ended, once; empty if it has recorded nothing. */
    public synchronized Optional<TestRange> take(String uniqueId) {
        Optional<TestRange> range = range(uniqueId);
        runs.remove(uniqueId);
        return range;
    }

    private void look(LoggedEvent event) {
        if (event instanceof LoggedEvent.Actor actor) {
            actors.put(actor.at().actor(), actor);
        } else if (event instanceof LoggedEvent.Window window) {
            mappings.add(new TestRange.Mapping(window, Long.MAX_VALUE));
        } else if (event instanceof LoggedEvent.WindowsFreed freed) {
            mappings.replaceAll(mapping -> mapping.endedBy(freed));
        } else if (event instanceof LoggedEvent.Mark mark) {
            String test = log.text(mark.text());
            long index = mark.at().index();
            Run before = runs.get(test);
            if (mark.begin()) {
                runs.put(test, new Run(index, Long.MAX_VALUE));
            } else if (before != null) {
                runs.put(test, new Run(before.begin(), index));
            }
        }
    }

    private List<LoggedEvent> events(Run run) {
        List<LoggedEvent> events = new ArrayList<>();
        log.forEach(run.begin(), event -> {
            if (event.at().index() <= run.end()) {
                events.add(event);
            }
        });
        return events;
    }

    private synchronized String text(int number) {
        return log.text(number);
    }

    /** How many events are missing, since the log or its disk was full. */
    public synchronized long dropped() {
        return log.dropped();
    }
}
