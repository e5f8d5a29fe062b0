package org.rankunit.collective.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.rankunit.collective.Signal;
import org.rankunit.collective.schedule.RankSchedule;
import org.rankunit.collective.schedule.Schedule;
import org.rankunit.collective.schedule.Task;
import org.rankunit.collective.schedule.TaskKind;

/** Schedules with mistakes. */
final class Broken {

    private Broken() {}

    /** Change the tasks of one rank. */
    static Schedule changed(Schedule schedule, int rank, UnaryOperator<List<Task>> change) {
        RankSchedule own = schedule.rank(rank);
        return schedule.with(own.withTasks(change.apply(new ArrayList<>(own.tasks()))));
    }

    /** Leave out the first task of a rank for which this holds. */
    static Schedule without(Schedule schedule, int rank, Predicate<Task> condition) {
        return changed(schedule, rank, tasks -> {
            Task left = tasks.stream().filter(condition).findFirst().orElseThrow();
            tasks.remove(left);
            return tasks;
        });
    }

    static Predicate<Task> isPost(Signal signal) {
        return task -> task.kind() == TaskKind.POST && has(task, signal);
    }

    static Predicate<Task> isWait(Signal signal) {
        return task -> task.kind() == TaskKind.WAIT && has(task, signal);
    }

    static Predicate<Task> withPeer(int rank) {
        return task -> task.signalled() != null
                && (task.signalled().peer() == rank || task.signalled().owner() == rank);
    }

    private static boolean has(Task task, Signal signal) {
        return task.signalled() != null
                && !task.signalled().isLocal()
                && task.signalled().signal() == signal;
    }
}
