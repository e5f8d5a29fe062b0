package org.rankunit.collective.simulate;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.List;
import org.apiguardian.api.API;
import org.rankunit.collective.schedule.Schedule;
import org.rankunit.collective.schedule.Task;

/**
 * When each task of a schedule ran on a modelled machine. A schedule whose streams wait forever has a trace too.
 *
 * @param events in the order in which they began; a task comes after those that it depends on
 * @param stuck the task that each stream waits in forever; empty for a schedule that ends
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public record Trace(List<Event> events, List<Task> stuck) {

    /** The event of no post. */
    public static final int NONE = -1;

    public Trace {
        events = List.copyOf(events);
        stuck = List.copyOf(stuck);
    }

    /**
     * One task.
     *
     * @param number of the task among those of its rank
     * @param begin in seconds; of a wait, when it has ended
     * @param end in seconds
     * @param post of a wait the number of the event that it waited for; otherwise {@link #NONE}
     * @since 0.1
     */
    @API(status = EXPERIMENTAL, since = "0.1")
    public record Event(int rank, int number, double begin, double end, int post) {}

    /** Run all tasks of a schedule that can be run. */
    public static Trace of(Schedule schedule, Topology topology) {
        return new Machine(schedule, topology).trace();
    }
}
