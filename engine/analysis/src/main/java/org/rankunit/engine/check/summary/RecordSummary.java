package org.rankunit.engine.check.summary;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.timeline.EventKind;
import org.rankunit.engine.timeline.LoggedEvent;
import org.rankunit.engine.timeline.TestRange;
import org.rankunit.engine.timeline.TestRecord;

/**
 * The events of a test in which a few tasks stand for all those of a run of a graph, where this changes nothing in what a check
 * finds: whether there is something to find, though not the words for it. So a test of a million tasks takes as much memory as one of a few.
 *
 * <p>Such a run is one of {@code tensormap_and_ringbuffer}, in which the arguments of tasks order all tasks that use the same
 * bytes, and of which no task, block or orchestration function does anything that others can see before the run ends: no signal, wait, copy or
 * access of its own. To others, it reads and writes its arguments at some time between its begin and its end.
 */
public final class RecordSummary {

    private final TestRecord record;
    private final GraphRuns runs;
    private final int fewestTasks;

    /** Of this record, without the tasks of runs that are summarized. */
    private final long count;

    private RecordSummary(TestRecord record, GraphRuns runs, int fewestTasks) {
        this.record = record;
        this.runs = runs;
        this.fewestTasks = fewestTasks;
        this.count = runs.areAnySummarized(fewestTasks) ? countKept() : record.count();
    }

    /**
     * Summarize what a rank has recorded.
     *
     * @param fewestTasks in a run that is summarized
     * @param mostArguments that differ, in all such runs together; a run with which there are more is not summarized
     */
    public static RecordSummary of(TestRecord record, int fewestTasks, long mostArguments) {
        return new RecordSummary(record, GraphRuns.in(record, mostArguments), fewestTasks);
    }

    /** About how many events there are. */
    public long count() {
        return count;
    }

    /** Why the test cannot be checked: not all that matters was recorded. An empty string if it can. */
    public String whyNot() {
        return runs.whyNot(fewestTasks);
    }

    /** Whether it has other events than the record. */
    public boolean isShortened() {
        return runs.areAnySummarized(fewestTasks);
    }

    /** The events. */
    public TestRange range() {
        if (!isShortened()) {
            return record.range();
        }
        List<LoggedEvent> events = new ArrayList<>();
        for (long index = record.begin(); index < record.end(); index++) {
            if (isKept(index)) {
                add(index, events);
            }
        }
        return record.range(events, this::text);
    }

    private String text(int number) {
        return number == GraphRun.ANY_KERNEL
                ? "any"
                : number < 0 ? runs.get(-1 - number).text() : record.text(number);
    }

    private void add(long index, List<LoggedEvent> events) {
        LoggedEvent event = record.event(index);
        if (event == null) {
            return;
        }
        events.add(event);
        GraphRun run = summarizedRun(index);
        if (run != null && event instanceof LoggedEvent.OrchestrationBegin begin) {
            run.addTasks(begin.at(), events);
        }
    }

    private long countKept() {
        long kept = 0;
        for (long index = record.begin(); index < record.end(); index++) {
            kept += isKept(index) ? 1 : 0;
        }
        return kept + runs.countStandIns(fewestTasks);
    }

    private boolean isKept(long index) {
        EventKind kind = record.kind(index);
        return kind == EventKind.ACTOR
                || kind == EventKind.ALLOCATE
                || kind == EventKind.ORCHESTRATION_BEGIN
                || kind == EventKind.ORCHESTRATION_END
                || (kind != null && summarizedRun(index) == null);
    }

    private @Nullable GraphRun summarizedRun(long index) {
        GraphRun run = runs.of(record.actor(index));
        return run != null && run.isSummarized(fewestTasks) ? run : null;
    }
}
