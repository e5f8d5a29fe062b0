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

    final int index;
    final long number;
    private final int name;
    final TaskArguments arguments;

    private boolean isOpaque;
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

    /** Say that others may see more of this run than what it reads and writes from its begin to its end. */
    void setOpaque() {
        isOpaque = true;
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
        isOpaque |= isSeen;
    }

    boolean isComplete() {
        return unrecorded == 0;
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
        return !isOpaque
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
        return unrecorded + " tasks of graph \"" + texts.apply(name)
                + "\" were not recorded, since they have the same arguments as tasks before them, but there are also "
                + "tasks in it that wait, signal, copy, or tell their accesses, or memory was freed meanwhile. Let it "
                + "have fewer tasks, or do that before and after it";
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
        events.add(new LoggedEvent.Task(
                begin, task, number, made.id(), made.kernel(), -1 - index, 1, made.cores(), made.place()));
        for (int i = 0; i < used.size(); i++) {
            LoggedEvent.Argument argument = used.get(i);
            events.add(new LoggedEvent.Argument(
                    by(task, argument.at()), i, argument.use(), argument.value(), argument.bytes(), 0));
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
