package org.rankunit.engine.timeline;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The log of a rank, read once however many tests are looked at. Thread-safe. */
public final class RankLog {

    private static final Set<EventKind> INTRODUCING =
            EnumSet.of(EventKind.MARK, EventKind.ACTOR, EventKind.WINDOW, EventKind.WINDOWS_FREED);

    private final EventLogFile log;
    private final Map<Integer, LoggedEvent.Actor> actors = new HashMap<>();
    private final List<TestRange.Mapping> mappings = new ArrayList<>();

    /** The last run of each test, by its id. */
    private final Map<String, Run> runs = new HashMap<>();

    private long looked;

    /** A test from start to end, both of them indices of marks. */
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
        return record(uniqueId).map(TestRecord::range);
    }

    /** Get what belongs to a test that has ended, once; empty if it has recorded nothing. */
    public synchronized Optional<TestRecord> take(String uniqueId) {
        Optional<TestRecord> record = record(uniqueId);
        runs.remove(uniqueId);
        return record;
    }

    private Optional<TestRecord> record(String uniqueId) {
        log.refresh();
        for (long index = looked; index < log.count(); index++) {
            EventKind kind = EventKind.of(log.kind(index));
            if (kind != null && INTRODUCING.contains(kind)) {
                look(log.event(index));
            }
        }
        looked = log.count();
        Run run = runs.get(uniqueId);
        return run == null
                ? Optional.empty()
                : Optional.of(new TestRecord(
                        log,
                        run.begin(),
                        Math.min(run.end() + 1, log.count()),
                        new TestRange(List.of(), actors, mappings, this::text)));
    }

    private void look(@Nullable LoggedEvent event) {
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
                runs.put(test, new Run(index, Long.MAX_VALUE - 1));
            } else if (before != null) {
                runs.put(test, new Run(before.begin(), index));
            }
        }
    }

    private synchronized String text(int number) {
        return log.text(number);
    }

    /** How many events are missing, since the log or its disk was full. */
    public synchronized long dropped() {
        return log.dropped();
    }
}
