package org.rankunit.engine.check.program;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.rankunit.device.Comparison;

/** Changes a program in one place: drops, moves, doubles, weakens or redirects a step. */
final class Mutation {

    private Mutation() {}

    static Program of(Program program, Random random) {
        Program changed = program.copy();
        List<int[]> places = new ArrayList<>();
        for (int actor = 0; actor < changed.steps().size(); actor++) {
            List<Step> steps = changed.steps().get(actor);
            for (int i = 0; i < steps.size(); i++) {
                if (isChanged(steps.get(i)) && (isMeeting(steps.get(i)) || random.nextInt(4) == 0)) {
                    places.add(new int[] {actor, i});
                }
            }
        }
        if (places.isEmpty()) {
            return changed;
        }
        int[] place = places.get(random.nextInt(places.size()));
        List<Step> steps = changed.steps().get(place[0]);
        Step step = steps.get(place[1]);
        switch (random.nextInt(4)) {
            case 0 -> drop(changed, place[0], place[1]);
            case 1 -> move(steps, place[1], random);
            case 2 -> twice(changed, place[0], place[1]);
            default -> steps.set(place[1], other(step, random));
        }
        return changed;
    }

    private static boolean isChanged(Step step) {
        return !(step instanceof Step.Enqueue || step instanceof Step.Begin);
    }

    /** Whether others refer to it, which could not be said any more without it, or with two of it. */
    private static boolean isReferredTo(Step step) {
        return step instanceof Step.RecordEvent
                || step instanceof Step.Barrier
                || step instanceof Step.Start
                || step instanceof Step.Release;
    }

    /** Changes of these make more programs wrong than those of accesses. */
    private static boolean isMeeting(Step step) {
        return !(step instanceof Step.Access);
    }

    private static void drop(Program program, int actor, int index) {
        Step step = program.steps().get(actor).get(index);
        if (isReferredTo(step)) {
            return;
        }
        program.steps().get(actor).remove(index);
        if (program.isStream(actor)) {
            List<Step> host = program.steps().get(program.rankOf(actor));
            host.remove(host.lastIndexOf(new Step.Enqueue(actor)));
        }
    }

    private static void move(List<Step> steps, int index, Random random) {
        int first = steps.get(0) instanceof Step.Begin ? 1 : 0;
        int to = Math.max(first, Math.min(steps.size() - 1, index + random.nextInt(5) - 2));
        steps.add(to, steps.remove(index));
    }

    private static void twice(Program program, int actor, int index) {
        List<Step> steps = program.steps().get(actor);
        Step step = steps.get(index);
        if (isReferredTo(step)) {
            return;
        }
        steps.add(index, step);
        if (program.isStream(actor)) {
            List<Step> host = program.steps().get(program.rankOf(actor));
            host.add(host.lastIndexOf(new Step.Enqueue(actor)), new Step.Enqueue(actor));
        }
    }

    private static Step other(Step step, Random random) {
        if (step instanceof Step.Wait wait) {
            return otherWait(wait, random);
        } else if (step instanceof Step.Signal signal) {
            return switch (random.nextInt(3)) {
                case 0 -> new Step.Signal(signal.cell(), !signal.add(), signal.value());
                case 1 -> new Step.Signal(signal.cell(), signal.add(), signal.value() + random.nextInt(3) - 1);
                default -> new Step.Signal(Math.max(0, signal.cell() - 1), signal.add(), signal.value());
            };
        } else if (step instanceof Step.Access access) {
            return new Step.Access(access.buffer(), !access.write(), access.id());
        } else if (step instanceof Step.Kernel kernel) {
            return otherKernel(kernel, random);
        } else if (step instanceof Step.Graph graph) {
            return otherGraph(graph, random);
        } else if (step instanceof Step.Post post) {
            return new Step.Post(Math.max(0, post.number() - 1));
        } else if (step instanceof Step.Take take) {
            return new Step.Take(Math.max(0, take.number() - 1));
        }
        return step;
    }

    private static Step otherWait(Step.Wait wait, Random random) {
        Comparison[] all = Comparison.values();
        return switch (random.nextInt(3)) {
            case 0 -> new Step.Wait(wait.cell(), all[random.nextInt(all.length)], wait.value());
            case 1 -> new Step.Wait(wait.cell(), wait.comparison(), wait.value() - 1);
            default -> new Step.Wait(Math.max(0, wait.cell() - 1), wait.comparison(), wait.value());
        };
    }

    private static Step otherKernel(Step.Kernel kernel, Random random) {
        List<List<Step>> blocks = new ArrayList<>();
        kernel.blocks().forEach(block -> blocks.add(new ArrayList<>(block)));
        List<Step> block = blocks.get(random.nextInt(blocks.size()));
        if (!block.isEmpty()) {
            int index = random.nextInt(block.size());
            if (random.nextBoolean()) {
                block.remove(index);
            } else {
                block.set(index, other(block.get(index), random));
            }
        }
        return new Step.Kernel(kernel.reads(), kernel.writes(), blocks);
    }

    /** Leaves out an edge, or changes a step inside of a task. */
    private static Step otherGraph(Step.Graph graph, Random random) {
        List<Step.Task> tasks = new ArrayList<>(graph.tasks());
        int index = random.nextInt(tasks.size());
        Step.Task task = tasks.get(index);
        List<Integer> after = new ArrayList<>(task.after());
        List<Step> inside = new ArrayList<>(task.inside());
        if (!after.isEmpty() && random.nextBoolean()) {
            after.remove(random.nextInt(after.size()));
        } else if (!inside.isEmpty()) {
            int place = random.nextInt(inside.size());
            inside.set(place, other(inside.get(place), random));
        }
        boolean write = task.write() != (random.nextInt(4) == 0);
        tasks.set(index, new Step.Task(task.buffer(), write, after, inside));
        return new Step.Graph(tasks);
    }
}
