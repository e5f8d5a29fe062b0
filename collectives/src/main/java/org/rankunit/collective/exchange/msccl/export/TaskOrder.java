package org.rankunit.collective.exchange.msccl.export;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.rankunit.collective.schedule.NotifyName;
import org.rankunit.collective.schedule.RankSchedule;
import org.rankunit.collective.schedule.Schedule;
import org.rankunit.collective.schedule.Task;
import org.rankunit.collective.schedule.TaskKind;

/** Goes through the tasks of all ranks that move data, in one of the orders that notifies allow. */
final class TaskOrder {

    private record Stream(int rank, int number) {}

    private final Schedule schedule;
    private final Map<Stream, Integer> places = new HashMap<>();
    private final Set<NotifyName> posted = new HashSet<>();
    private final Map<NotifyName, Stream> waiting = new HashMap<>();
    private final Deque<Stream> ready = new ArrayDeque<>();

    private TaskOrder(Schedule schedule) {
        this.schedule = schedule;
    }

    /** @throws IllegalArgumentException if streams wait forever, or a post is lost */
    static void forEach(Schedule schedule, Consumer<Task> moves) {
        new TaskOrder(schedule).run(moves);
    }

    private void run(Consumer<Task> moves) {
        for (RankSchedule rank : schedule.ranks()) {
            for (int number = 0; number < rank.streams(); number++) {
                ready.add(new Stream(rank.rank(), number));
            }
        }
        while (!ready.isEmpty()) {
            goOn(ready.remove(), moves);
        }
        if (!waiting.isEmpty()) {
            throw new IllegalArgumentException(
                    "it waits forever, for " + waiting.keySet().iterator().next() + "; verify it first");
        }
        if (!posted.isEmpty()) {
            throw new IllegalArgumentException(
                    "nothing waits for " + posted.iterator().next() + ", which is posted; verify it first");
        }
    }

    /** Run a stream until it must wait. */
    private void goOn(Stream stream, Consumer<Task> moves) {
        RankSchedule rank = schedule.rank(stream.rank());
        for (int place = places.getOrDefault(stream, 0); place < rank.size(stream.number()); place++) {
            int task = rank.number(stream.number(), place);
            TaskKind kind = rank.kind(task);
            if (kind.movesData()) {
                moves.accept(rank.task(task));
                continue;
            }
            NotifyName notify = rank.notifyName(task);
            if (kind == TaskKind.POST) {
                post(notify, rank.task(task));
            } else if (!posted.remove(notify)) {
                places.put(stream, place);
                if (waiting.put(notify, stream) != null) {
                    throw new IllegalArgumentException(
                            rank.task(task) + ": another stream waits for it, too; verify it first");
                }
                return;
            }
        }
    }

    private void post(NotifyName notify, Task task) {
        if (!posted.add(notify)) {
            throw new IllegalArgumentException(
                    task + ": it is already set, so one of the two posts would be lost; verify it first");
        }
        Stream stream = waiting.remove(notify);
        if (stream != null) {
            ready.addFirst(stream);
        }
    }
}
