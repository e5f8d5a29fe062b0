package org.rankunit.engine.check.program;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;

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

    /** The rank that waits for each notify; of one for which no other rank waits, the first rank. */
    List<Integer> owners() {
        List<Integer> owners = new ArrayList<>();
        forEach((actor, step) -> {
            int number = step instanceof Step.Post post
                    ? post.number()
                    : step instanceof Step.Take take ? take.number() : -1;
            while (owners.size() <= number) {
                owners.add(0);
            }
            if (step instanceof Step.Take) {
                owners.set(number, rankOf(actor));
            }
        });
        return owners;
    }

    private void forEach(BiConsumer<Integer, Step> told) {
        for (int actor = 0; actor < steps.size(); actor++) {
            for (Step step : steps.get(actor)) {
                told.accept(actor, step);
            }
        }
    }

    /** Whether devices can run the program, which is wrong otherwise in a way that data does not show. */
    public boolean isForDevices() {
        List<Integer> owners = owners();
        boolean[] foreign = {false};
        forEach((actor, step) ->
                foreign[0] |= step instanceof Step.Take take && owners.get(take.number()) != rankOf(actor));
        return !foreign[0] && recordsEventsFirst();
    }

    /** How many kernels of several blocks come before this step, actor by actor. */
    int dividedKernelsBefore(int actor, int index) {
        int kernels = 0;
        for (int each = 0; each <= actor; each++) {
            List<Step> ofActor = steps.get(each);
            for (int i = 0; i < (each < actor ? ofActor.size() : index); i++) {
                kernels += ofActor.get(i) instanceof Step.Kernel kernel
                                && kernel.blocks().size() > 1
                        ? 1
                        : 0;
            }
        }
        return kernels;
    }

    /** Whether hosts put what waits for an event on a stream after what records it, as devices demand. */
    private boolean recordsEventsFirst() {
        for (int host = 0; host < ranks; host++) {
            Map<Integer, Integer> works = new HashMap<>();
            Set<Step> recorded = new HashSet<>();
            for (Step step : steps.get(host)) {
                if (step instanceof Step.Enqueue enqueue) {
                    int work = works.merge(enqueue.stream(), 1, Integer::sum) - 1;
                    Step put = steps.get(enqueue.stream()).get(work);
                    recorded.add(put);
                    if (put instanceof Step.WaitEvent wait && !recorded.contains(wait.recorded())) {
                        return false;
                    }
                }
            }
        }
        return true;
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
