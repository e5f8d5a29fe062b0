package org.rankunit.collective.truth;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.rankunit.collective.Region;
import org.rankunit.collective.schedule.NotifyName;
import org.rankunit.collective.schedule.RankSchedule;
import org.rankunit.collective.schedule.Schedule;
import org.rankunit.collective.schedule.Task;
import org.rankunit.collective.schedule.TaskKind;

/** A schedule with one task left out, doubled, moved or made to do something else. It may still be right. */
final class Mutant {

    private enum Mutation {
        LEFT_OUT,
        DOUBLED,
        EXCHANGED,
        ON_OTHER_STREAM,
        OTHER_TARGET,
        OTHER_SOURCE,
        LATER,
        AS_COPY,
        AS_REDUCTION
    }

    private static final List<Mutation> MUTATIONS = List.of(Mutation.values());

    private Mutant() {}

    static Schedule of(Schedule schedule, Random random) {
        while (true) {
            RankSchedule rank = schedule.rank(random.nextInt(schedule.ranks().size()));
            if (rank.size() > 0) {
                List<Task> tasks = new ArrayList<>(rank.tasks());
                Mutation mutation = MUTATIONS.get(random.nextInt(MUTATIONS.size()));
                if (mutate(tasks, random.nextInt(tasks.size()), mutation, rank, random)) {
                    return schedule.with(rank.withTasks(tasks));
                }
            }
        }
    }

    private static boolean mutate(List<Task> tasks, int number, Mutation mutation, RankSchedule rank, Random random) {
        Task task = tasks.get(number);
        int next = nextOfStream(tasks, number);
        Region from = task.from();
        Region to = task.to();
        switch (mutation) {
            case LEFT_OUT -> tasks.remove(number);
            case DOUBLED -> tasks.add(number, task);
            case EXCHANGED -> {
                if (next < 0) {
                    return false;
                }
                Collections.swap(tasks, number, next);
            }
            case ON_OTHER_STREAM -> {
                if (rank.streams() == 1) {
                    return false;
                }
                int stream = (task.stream() + 1) % rank.streams();
                tasks.set(number, with(task, stream, task.kind(), from, to));
            }
            case OTHER_TARGET -> {
                if (from == null || to == null) {
                    return false;
                }
                tasks.set(number, with(task, task.stream(), task.kind(), from, moved(to, random)));
            }
            case OTHER_SOURCE -> {
                if (from == null || to == null) {
                    return false;
                }
                tasks.set(number, with(task, task.stream(), task.kind(), moved(from, random), to));
            }
            case LATER -> {
                tasks.remove(number);
                tasks.add(number + random.nextInt(tasks.size() - number + 1), task);
            }
            case AS_COPY, AS_REDUCTION -> {
                TaskKind other = mutation == Mutation.AS_COPY ? asCopy(task.kind()) : asReduction(task.kind());
                if (other == task.kind()) {
                    return false;
                }
                tasks.set(number, with(task, task.stream(), other, from, to));
            }
        }
        return true;
    }

    private static int nextOfStream(List<Task> tasks, int number) {
        for (int next = number + 1; next < tasks.size(); next++) {
            if (tasks.get(next).stream() == tasks.get(number).stream()) {
                return next;
            }
        }
        return -1;
    }

    private static Region moved(Region region, Random random) {
        long by = region.from() == 0 || random.nextBoolean() ? region.bytes() : -region.bytes();
        return new Region(region.rank(), region.buffer(), Math.max(0, region.from() + by), region.bytes());
    }

    private static TaskKind asCopy(TaskKind kind) {
        return switch (kind) {
            case REDUCE -> TaskKind.COPY;
            case PUT_REDUCE -> TaskKind.PUT;
            case GET_REDUCE -> TaskKind.GET;
            default -> kind;
        };
    }

    private static TaskKind asReduction(TaskKind kind) {
        return switch (kind) {
            case COPY -> TaskKind.REDUCE;
            case PUT -> TaskKind.PUT_REDUCE;
            case GET -> TaskKind.GET_REDUCE;
            default -> kind;
        };
    }

    private static Task with(Task task, int stream, TaskKind kind, @Nullable Region from, @Nullable Region to) {
        NotifyName signalled = task.signalled();
        return new Task(task.rank(), stream, task.place(), kind, from, to, signalled, task.link(), task.line());
    }
}
