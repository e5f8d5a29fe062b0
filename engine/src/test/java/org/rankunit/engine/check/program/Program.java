package org.rankunit.engine.check.program;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A random program for some ranks, each with a host, streams, and threads beside the host. Hosts come first, in the order of ranks,
 * then the streams.
 *
 * @param streams the rank of each stream
 * @param threads the rank of each thread
 * @param steps what each host, each stream and each thread does
 */
public record Program(int ranks, List<Integer> streams, List<Integer> threads, List<List<Step>> steps) {

    int rankOf(int actor) {
        return isHost(actor)
                ? actor
                : isStream(actor) ? streams.get(actor - ranks) : threads.get(actor - ranks - streams.size());
    }

    boolean isHost(int actor) {
        return actor < ranks;
    }

    boolean isStream(int actor) {
        return !isHost(actor) && !isThread(actor);
    }

    boolean isThread(int actor) {
        return actor >= ranks + streams.size();
    }

    Program copy() {
        List<List<Step>> copies = new ArrayList<>();
        steps.forEach(ofActor -> copies.add(new ArrayList<>(ofActor)));
        return new Program(ranks, streams, threads, copies);
    }

    /** What the program uses, for the table of results. */
    public Set<String> features() {
        Set<String> features = new TreeSet<>();
        steps.forEach(ofActor -> ofActor.forEach(step -> addFeatures(step, features)));
        features.add(ranks + " ranks");
        return features;
    }

    /** Whether some bytes are accessed by two that only meetings order, and one of them writes. */
    public boolean sharesMemory() {
        List<Use> uses = new ArrayList<>();
        for (int actor = 0; actor < steps.size(); actor++) {
            for (Step step : steps.get(actor)) {
                addUses(actor, step, uses);
            }
        }
        return uses.stream().anyMatch(use -> uses.stream().anyMatch(use::isSharedWith));
    }

    private record Use(int rank, int actor, int task, int buffer, boolean write) {

        boolean isSharedWith(Use other) {
            boolean areOrderedByThemselves = rank == other.rank && (actor < 0 || other.actor < 0);
            return buffer == other.buffer
                    && (write || other.write)
                    && (actor != other.actor || task != other.task || rank != other.rank)
                    && !areOrderedByThemselves;
        }
    }

    /** The actor of a host is -1. */
    private void addUses(int actor, Step step, List<Use> uses) {
        int rank = rankOf(actor);
        int who = isHost(actor) ? -1 : actor;
        if (step instanceof Step.Access access) {
            uses.add(new Use(rank, who, 0, access.buffer(), access.write()));
        } else if (step instanceof Step.Kernel kernel) {
            kernel.reads().forEach(buffer -> uses.add(new Use(rank, who, 0, buffer, false)));
            kernel.writes().forEach(buffer -> uses.add(new Use(rank, who, 0, buffer, true)));
        } else if (step instanceof Step.Graph graph) {
            for (int task = 0; task < graph.tasks().size(); task++) {
                uses.add(new Use(
                        rank,
                        Integer.MAX_VALUE,
                        task,
                        graph.tasks().get(task).buffer(),
                        graph.tasks().get(task).write()));
            }
        }
    }

    private static void addFeatures(Step step, Set<String> features) {
        if (step instanceof Step.Signal signal) {
            features.add(signal.add() ? "signal ADD" : "signal SET");
        } else if (step instanceof Step.Wait wait) {
            features.add("wait " + wait.comparison());
        } else if (step instanceof Step.Post) {
            features.add("notify");
        } else if (step instanceof Step.WaitEvent) {
            features.add("event");
        } else if (step instanceof Step.Barrier) {
            features.add("barrier");
        } else if (step instanceof Step.Synchronize) {
            features.add("synchronize");
        } else if (step instanceof Step.Start) {
            features.add("threads");
        } else if (step instanceof Step.Join) {
            features.add("join");
        } else if (step instanceof Step.Acquire) {
            features.add("latch");
        } else if (step instanceof Step.Graph graph) {
            features.add("graph");
            graph.tasks().forEach(task -> task.inside().forEach(inside -> addFeatures(inside, features)));
        } else if (step instanceof Step.Kernel kernel) {
            features.add(kernel.blocks().size() == 1 ? "kernel" : "kernel of several blocks");
            kernel.blocks()
                    .forEach(block -> block.forEach(inside -> {
                        features.add("in a block");
                        addFeatures(inside, features);
                    }));
        }
    }
}
