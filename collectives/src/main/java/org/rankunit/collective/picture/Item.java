package org.rankunit.collective.picture;

import java.util.ArrayList;
import java.util.List;
import org.rankunit.collective.schedule.Schedule;
import org.rankunit.collective.schedule.Task;
import org.rankunit.collective.simulate.Trace;

/**
 * A task with its time.
 *
 * @param number of the task among those of its rank
 * @param begin in picoseconds: moments that differ by less are one
 * @param end in picoseconds
 * @param post of a wait the item that it waited for; otherwise -1
 */
record Item(Task task, int number, long begin, long end, int post) {

    private static final double PICO = 1e-12;

    /** Get the tasks of a trace, in its order. */
    static List<Item> of(Schedule schedule, Trace trace) {
        List<Item> items = new ArrayList<>();
        for (Trace.Event event : trace.events()) {
            Task task = schedule.rank(event.rank()).task(event.number());
            items.add(new Item(
                    task,
                    event.number(),
                    Math.round(event.begin() / PICO),
                    Math.round(event.end() / PICO),
                    event.post()));
        }
        return items;
    }

    boolean takesTime() {
        return end > begin;
    }
}
