package org.rankunit.engine.check;

import static org.rankunit.engine.timeline.order.EventGraph.key;

import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.timeline.LoggedEvent;
import org.rankunit.engine.timeline.LoggedEvent.Use;
import org.rankunit.engine.timeline.order.EventGraph;
import org.rankunit.engine.timeline.order.LaunchNodes;
import org.rankunit.engine.timeline.order.TaskNodes.BlockNodes;

/** The kernels that ran in a test: those of tasks and of launches, by what {@link Access#owner} is. */
final class KernelRuns {

    private final Map<Long, KernelRun> byOwner = new LinkedHashMap<>();

    /**
     * A run of a kernel.
     *
     * @param who for people: {@code "rank 1, stream 2, kernel "add""}
     * @param at the line of the program that asked for it: {@code " at RingTest.java:41"}, or nothing
     * @param run with whose other tasks its runtime orders it, by their arguments; {@code null} if it does not
     */
    record KernelRun(
            int rank,
            long owner,
            String who,
            String at,
            List<LoggedEvent.Argument> arguments,
            List<BlockNodes> blocks,
            @Nullable String run) {

        /** Whether each access of it through pointers is known. */
        boolean tells() {
            return !blocks.isEmpty()
                    && blocks.stream()
                            .allMatch(block ->
                                    block.begin.event instanceof LoggedEvent.BlockBegin begin && begin.tells());
        }

        /** Whether it says how it uses its arguments. */
        boolean isDeclared() {
            return !arguments.isEmpty() && arguments.stream().noneMatch(argument -> argument.use() == Use.UNKNOWN);
        }
    }

    KernelRuns(EventGraph graph, Names names) {
        Set<Long> withRings = new HashSet<>();
        graph.nodes(LoggedEvent.Ring.class).forEach(node -> {
            if (node.event instanceof LoggedEvent.Ring ring) {
                withRings.add(key(node.rank, ring.run()));
            }
        });
        graph.tasks()
                .values()
                .forEach(task -> add(new KernelRun(
                        task.rank,
                        key(task.rank, task.made.task()),
                        names.who(task),
                        names.places().at(task),
                        task.arguments,
                        task.blocks,
                        withRings.contains(key(task.rank, task.made.run()))
                                ? "rank " + task.rank + ", run " + task.made.run()
                                : null)));
        graph.launches()
                .forEach(launch -> add(new KernelRun(
                        launch.begin.rank,
                        LaunchNodes.owner(launch.begin.rank, launch.work.work()),
                        names.who(launch),
                        names.places().at(launch),
                        launch.arguments,
                        launch.blocks,
                        null)));
    }

    private void add(KernelRun run) {
        byOwner.put(run.owner(), run);
    }

    Iterable<KernelRun> all() {
        return byOwner.values();
    }

    /** The same objects as in events. */
    Set<LoggedEvent.Argument> argumentsOfTelling() {
        Set<LoggedEvent.Argument> all = Collections.newSetFromMap(new IdentityHashMap<>());
        byOwner.values().stream().filter(KernelRun::tells).forEach(kernel -> all.addAll(kernel.arguments()));
        return all;
    }

    /** Who needs signals, notifies, events or edges for an order with others. */
    String userOf(Access access) {
        KernelRun kernel = of(access);
        return kernel == null || kernel.run() == null ? access.who() : kernel.run();
    }

    @Nullable KernelRun of(Access access) {
        return byOwner.get(access.owner());
    }
}
