package org.rankunit.engine.check.summary;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.timeline.LoggedEvent;
import org.rankunit.engine.timeline.LoggedEvent.Moment;

/** A run of a graph, as far as its record has been read. */
final class GraphRun {

    /** One for the bytes that are read first, one for all the others, and one for tasks without tensors. */
    private static final int STAND_INS = 3;

    /** From so many on, some may not be recorded. */
    private static final int MAX_RECORDED = 65_536;

    /** The text of the kernel of stand-ins. */
    static final int ANY_KERNEL = Integer.MIN_VALUE;

    static final String DOES_MORE =
            "one of its tasks waits, signals or copies, tells its accesses, or was left out on purpose";
    static final String FAILED = "it failed";
    static final String FREED = "memory was freed while it ran";
    private static final String OPEN = "it was still running when the test ended";
    private static final String TOO_MANY =
            "its tasks have more distinct arguments than fit into the memory of this JVM (-Xmx)";

    final int index;
    final long number;
    private final int name;
    final TaskArguments arguments;

    /** Why others may see more of it; {@code null} if they do not. */
    private @Nullable String seen;

    private boolean hasRings;
    private boolean hasOrchestration;
    private boolean hasOrchestrationEnded;
    private boolean hasEnded;
    private long unrecorded;
    private long tasks;
    private long endedTasks;
    private long blocks;
    private long endedBlocks;

    private LoggedEvent.@Nullable Task first;
    private LoggedEvent.@Nullable BlockBegin firstBlock;

    /** Actors that stand-ins are given: those of the first tasks and blocks. */
    private final List<Integer> taskActors = new ArrayList<>();

    private final List<Integer> blockActors = new ArrayList<>();

    GraphRun(int index, long number, int name, TaskArguments arguments) {
        this.index = index;
        this.number = number;
        this.name = name;
        this.arguments = arguments;
    }

    /** Say that others may see more of this run than what it reads and writes while it runs, and why. */
    void setSeen(String why) {
        if (seen == null) {
            seen = why;
            arguments.forget();
        }
    }

    /** Say that it has rings, which only runs of {@code tensormap_and_ringbuffer} have. */
    void setRings() {
        hasRings = true;
    }

    boolean hasOrchestration() {
        return hasOrchestration;
    }

    void setOrchestration() {
        hasOrchestration = true;
    }

    boolean isOpen() {
        return !hasEnded;
    }

    /**
     * So many of its tasks were not recorded, since they have the arguments of others.
     *
     * @param isSeen whether others may have seen more of the run than its arguments
     */
    void leaveOut(long unrecordedTasks, boolean isSeen) {
        unrecorded += unrecordedTasks;
        if (isSeen) {
            setSeen(DOES_MORE);
        }
    }

    /** Whether all of its tasks were recorded. What was left out is only told when it ends. */
    boolean isComplete() {
        return unrecorded == 0 && (hasEnded || !hasRings || tasks < MAX_RECORDED);
    }

    /** A task was made. Its arguments are the next ones. */
    void addTask(@Nullable LoggedEvent task, int actor) {
        arguments.endTask();
        tasks++;
        if (taskActors.size() < STAND_INS) {
            taskActors.add(actor);
        }
        if (tasks == 1 && task instanceof LoggedEvent.Task made) {
            first = made;
        }
        arguments.beginTask(actor);
    }

    void addBlock(@Nullable LoggedEvent block, int actor) {
        blocks++;
        if (blockActors.size() < STAND_INS) {
            blockActors.add(actor);
        }
        if (blocks == 1 && block instanceof LoggedEvent.BlockBegin begun) {
            firstBlock = begun;
        }
    }

    boolean isFirstBlock() {
        return blocks == 0;
    }

    boolean isFirstTask() {
        return tasks == 0;
    }

    void endTask() {
        endedTasks++;
    }

    void endBlock() {
        endedBlocks++;
    }

    void endOrchestration() {
        hasOrchestrationEnded = true;
    }

    void end() {
        arguments.endTask();
        hasEnded = true;
    }

    boolean isSummarized(int fewestTasks) {
        return seen == null
                && hasRings
                && hasOrchestrationEnded
                && hasEnded
                && tasks >= Math.max(STAND_INS, fewestTasks)
                && tasks == endedTasks
                && blocks == endedBlocks
                && first != null
                && firstBlock != null
                && arguments.areKnown();
    }

    /** Why it cannot be checked. */
    String whyNot(IntFunction<String> texts) {
        String why = !hasEnded ? OPEN : seen != null ? seen : !arguments.areKnown() ? TOO_MANY : DOES_MORE;
        return "graph \"" + texts.apply(name) + "\" was not recorded completely: after " + MAX_RECORDED
                + " tasks, those that only use what earlier tasks use are left out. They may matter, because " + why
                + ". Use fewer tasks in the graph, or let it only run them";
    }

    /** What its tasks are called together. */
    String text() {
        return "all " + (tasks + unrecorded) + " tasks";
    }

    /** Add the events of tasks that stand for all others: for those that read what none of them has written before, and the rest. */
    void addTasks(Moment begin, List<LoggedEvent> events) {
        List<LoggedEvent.Argument> readFirst = arguments.readFirst();
        List<LoggedEvent.Argument> all = arguments.all();
        if (!readFirst.isEmpty()) {
            addTask(0, begin, readFirst, events);
        }
        if (!all.isEmpty()) {
            addTask(1, begin, all, events);
        }
        if (!readFirst.isEmpty() && !all.isEmpty()) {
            events.add(new LoggedEvent.Edge(begin, taskActors.get(0), taskActors.get(1), false, false));
        }
        if (arguments.areMissingInATask()) {
            addTask(2, begin, List.of(), events);
        }
    }

    private void addTask(int standIn, Moment begin, List<LoggedEvent.Argument> used, List<LoggedEvent> events) {
        LoggedEvent.Task made = requireNonNull(first);
        LoggedEvent.BlockBegin block = requireNonNull(firstBlock);
        int task = taskActors.get(standIn);
        Moment ofTask = by(task, begin);
        Moment ofBlock = by(blockActors.get(standIn), begin);
        // Nothing else has a ring.
        events.add(new LoggedEvent.Ring(begin, (int) number, 0, 0, 0, 0, 0));
        events.add(new LoggedEvent.Task(begin, task, number, made.id(), ANY_KERNEL, -1 - index, 1, made.cores(), 0));
        for (LoggedEvent.Argument argument : used) {
            events.add(new LoggedEvent.Argument(
                    by(task, argument.at()), argument.index(), argument.use(), argument.value(), argument.bytes(), 0));
        }
        events.add(new LoggedEvent.Publish(begin, task));
        events.add(new LoggedEvent.BlockBegin(
                ofBlock,
                task,
                block.kernel(),
                block.work(),
                0,
                1,
                block.core(),
                block.cube(),
                block.subBlock(),
                false));
        events.add(new LoggedEvent.BlockEnd(ofBlock, false));
        events.add(new LoggedEvent.TaskEnd(ofTask, number, false));
    }

    private static Moment by(int actor, Moment at) {
        return new Moment(at.index(), at.beginNanos(), at.endNanos(), actor);
    }
}
