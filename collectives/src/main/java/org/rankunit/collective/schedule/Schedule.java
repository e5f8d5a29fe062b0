package org.rankunit.collective.schedule;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.RandomAccess;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.OrchestrationException;
import org.rankunit.collective.Resources;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.CollectiveCall;

/**
 * The tasks that an algorithm queues on all ranks for one call. Immutable.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class Schedule {

    private final String algorithm;
    private final CollectiveCall call;
    private final List<RankSchedule> ranks;

    private Schedule(String algorithm, CollectiveCall call, List<RankSchedule> ranks) {
        this.algorithm = algorithm;
        this.call = call;
        this.ranks = List.copyOf(ranks);
    }

    /**
     * Let an algorithm queue the tasks of all ranks.
     *
     * @throws OrchestrationException if it does not apply to the call, or queues a task that cannot be
     * @throws TooManyTasksException if there are more tasks than memory can hold
     */
    public static Schedule of(CollectiveAlgorithm algorithm, CollectiveCall call) {
        return of(algorithm, call, false);
    }

    /** The same, and tasks know which line of the algorithm queued them; this takes about ten times as long. */
    public static Schedule withLines(CollectiveAlgorithm algorithm, CollectiveCall call) {
        return of(algorithm, call, true);
    }

    private static Schedule of(CollectiveAlgorithm algorithm, CollectiveCall call, boolean withLines) {
        List<RankSchedule> ranks = new ArrayList<>();
        List<Resources> resources = resources(algorithm, call);
        Buffers buffers = new Buffers(call, resources);
        TaskBudget budget = budget(algorithm, call, TaskBudget.ofMemory());
        int sizeBefore = 0;
        for (int rank = 0; rank < call.ranks(); rank++) {
            // Most ranks have about as many tasks as the one before.
            RankSchedule schedule = new RankSchedule(rank, resources.get(rank), budget, withLines, sizeBefore);
            ranks.add(RankOrchestration.of(algorithm, call, buffers, schedule, withLines));
            sizeBefore = schedule.size();
        }
        return new Schedule(algorithm.name(), call, ranks);
    }

    /** Let an algorithm queue the tasks of one rank. */
    public static RankSchedule ofRank(CollectiveAlgorithm algorithm, CollectiveCall call, int rank) {
        return ofRank(algorithm, call, rank, TaskBudget.ofMemory());
    }

    /**
     * Let an algorithm queue the tasks of one rank.
     *
     * @param most tasks
     * @throws TooManyTasksException if there are more
     */
    public static RankSchedule ofRank(CollectiveAlgorithm algorithm, CollectiveCall call, int rank, long most) {
        List<Resources> resources = resources(algorithm, call);
        RankSchedule schedule = new RankSchedule(rank, resources.get(rank), budget(algorithm, call, most), false, 0);
        return RankOrchestration.of(algorithm, call, new Buffers(call, resources), schedule, false);
    }

    /** How many tasks all ranks of a schedule may have: as many as there is memory for. */
    public static long mostTasks() {
        return TaskBudget.ofMemory();
    }

    private static TaskBudget budget(CollectiveAlgorithm algorithm, CollectiveCall call, long most) {
        return new TaskBudget(most, algorithm.name() + ", " + call + ",");
    }

    /**
     * Let an algorithm queue the tasks of one rank again, and compare them with those that it queued before.
     *
     * @throws OrchestrationException if they differ
     */
    public static void requireSame(CollectiveAlgorithm algorithm, CollectiveCall call, RankSchedule before) {
        again(algorithm, call, before, false);
    }

    /**
     * The same; returns the tasks with the lines that queued them.
     *
     * @throws OrchestrationException if they differ
     */
    public static RankSchedule againWithLines(CollectiveAlgorithm algorithm, CollectiveCall call, RankSchedule before) {
        return again(algorithm, call, before, true);
    }

    private static RankSchedule again(
            CollectiveAlgorithm algorithm, CollectiveCall call, RankSchedule before, boolean withLines) {
        TaskBudget budget = budget(algorithm, call, TaskBudget.ofMemory());
        // That it applies to the call is known.
        List<Resources> resources = new ResourcesOfRanks(algorithm, call);
        RankSchedule again = RankOrchestration.of(
                algorithm,
                call,
                new Buffers(call, resources),
                new RankSchedule(before.rank(), resources.get(before.rank()), budget, withLines, before.size()),
                withLines);
        if (!again.hasSameTasks(before)) {
            throw new OrchestrationException(algorithm.name() + " queues other tasks for rank " + before.rank()
                    + " when it is asked again: orchestrate must depend on nothing but the call and the rank (" + call
                    + ")");
        }
        return again;
    }

    private static List<Resources> resources(CollectiveAlgorithm algorithm, CollectiveCall call) {
        if (algorithm.collective() != call.collective()) {
            throw new OrchestrationException(algorithm.name() + " is an algorithm for " + algorithm.collective()
                    + ", not for " + call.collective());
        }
        algorithm.unsupportedReason(call).ifPresent(reason -> {
            throw new OrchestrationException(
                    algorithm.name() + " does not apply to this call (" + call + "): it " + reason);
        });
        return new ResourcesOfRanks(algorithm, call);
    }

    /** Computes what each rank needs when it is first asked for: most ranks are never asked for if only one rank's tasks are wanted. */
    private static final class ResourcesOfRanks extends AbstractList<Resources> implements RandomAccess {

        private final CollectiveAlgorithm algorithm;
        private final CollectiveCall call;
        private final @Nullable Resources[] known;

        ResourcesOfRanks(CollectiveAlgorithm algorithm, CollectiveCall call) {
            this.algorithm = algorithm;
            this.call = call;
            this.known = new Resources[call.ranks()];
        }

        @Override
        public Resources get(int rank) {
            Resources resources = known[rank];
            if (resources == null) {
                resources = algorithm.resources(call, rank);
                known[rank] = resources;
            }
            return resources;
        }

        @Override
        public int size() {
            return known.length;
        }
    }

    /** The name of the algorithm. */
    public String algorithm() {
        return algorithm;
    }

    public CollectiveCall call() {
        return call;
    }

    /** The schedule of each rank. */
    public List<RankSchedule> ranks() {
        return ranks;
    }

    public RankSchedule rank(int rank) {
        return ranks.get(rank);
    }

    /** Number of tasks of all ranks. */
    public long size() {
        return ranks.stream().mapToLong(RankSchedule::size).sum();
    }

    /** Get the same with another schedule for one rank. */
    public Schedule with(RankSchedule other) {
        List<RankSchedule> changed = new ArrayList<>(ranks);
        changed.set(other.rank(), other);
        return new Schedule(algorithm, call, changed);
    }

    /** Size of a buffer of a rank in bytes. */
    public long bufferBytes(BufferKind kind, int rank) {
        return kind == BufferKind.SCRATCH ? ranks.get(rank).resources().scratchBytes() : bytesOf(kind, rank, call);
    }

    /** Size of a buffer that the call determines. */
    static long bytesOf(BufferKind kind, int rank, CollectiveCall call) {
        return switch (kind) {
            case INPUT -> call.inputBytes(rank);
            case OUTPUT -> call.outputBytes(rank);
            case CCL_IN, CCL_OUT -> call.cclBytes();
            case SCRATCH -> throw new IllegalArgumentException("the algorithm determines the size of " + kind);
        };
    }
}
