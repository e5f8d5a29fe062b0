package org.rankunit.engine.check.summary;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.check.bytes.ByteRanges;
import org.rankunit.engine.check.summary.RunActors.Role;
import org.rankunit.engine.timeline.EventKind;
import org.rankunit.engine.timeline.LoggedEvent.ActorKind;
import org.rankunit.engine.timeline.TestRange.Space;
import org.rankunit.engine.timeline.TestRecord;

/** The runs of graphs in a record, and whether others can see more of each than what it reads and writes. */
final class GraphRuns {

    private static final Space ANY = new Space.Device(0);

    private final TestRecord record;
    private final Room room;
    private final List<GraphRun> open = new ArrayList<>();
    private boolean hasUnknown;
    private final List<GraphRun> runs = new ArrayList<>();
    private final Map<Long, GraphRun> byNumber = new HashMap<>();
    private final RunActors actors;
    private final ByteRanges allocated = new ByteRanges();

    private GraphRuns(TestRecord record, long mostArguments) {
        this.record = record;
        this.room = new Room(mostArguments);
        this.actors = new RunActors(record.count());
    }

    static GraphRuns in(TestRecord record, long mostArguments) {
        GraphRuns runs = new GraphRuns(record, mostArguments);
        for (long index = record.begin(); index < record.end(); index++) {
            EventKind kind = record.kind(index);
            if (kind != null) {
                runs.look(kind, index);
            }
        }
        return runs;
    }

    boolean areAnySummarized(int fewestTasks) {
        return runs.stream().anyMatch(run -> run.isSummarized(fewestTasks));
    }

    /** Why one of them cannot be checked; an empty string if all can. */
    String whyNot(int fewestTasks) {
        if (hasUnknown) {
            return "a graph that started before the test has so many tasks that some were not recorded; synchronize before the test";
        }
        return runs.stream()
                .filter(run -> !run.isComplete() && !run.isSummarized(fewestTasks))
                .findFirst()
                .map(run -> run.whyNot(record::text))
                .orElse("");
    }

    /** The arguments of what stands for the tasks of runs that are summarized. */
    long countStandIns(int fewestTasks) {
        return runs.stream()
                .filter(run -> run.isSummarized(fewestTasks))
                .mapToLong(run -> run.arguments.count())
                .sum();
    }

    /** The run to which an actor belongs. */
    @Nullable GraphRun of(int actor) {
        int run = actors.run(actor);
        return run < 0 ? null : runs.get(run);
    }

    GraphRun get(int index) {
        return runs.get(index);
    }

    /** Each kind that is not named here can be seen by others. */
    private void look(EventKind kind, long index) {
        int actor = record.actor(index);
        GraphRun run = of(actor);
        Role role = actors.role(actor);
        boolean isAllowed = switch (kind) {
            case GRAPH_BEGIN -> begin(index);
            case GRAPH_END -> end(index);
            case ACTOR -> introduce(actor, index);
            case BLOCK_BEGIN -> beginBlock(actor, index);
            case ARGUMENT -> role.isTask() && run != null && addArgument(run, actor, index);
            case MEMORY_COPY -> role.isTask();
            case TASK_END -> role == Role.TASK_WITH_BLOCK && run != null && endTask(run, index);
            case BLOCK_END -> role == Role.BLOCK && run != null && endBlock(run);
            case UNRECORDED -> leaveOut(index);
            case ALLOCATE -> allocate(role, index);
            case FREE, WINDOWS_FREED -> endMemory();
            default -> role == Role.ORCHESTRATION && run != null && orchestrates(kind, run, index);
        };
        if (run != null && (!isAllowed || !run.isOpen())) {
            run.setSeen(GraphRun.DOES_MORE);
        }
        if (!isAllowed) {
            setSeen(kind, index);
        }
    }

    /** The runs of tasks to which an event of another actor refers. */
    private void setSeen(EventKind kind, long index) {
        switch (kind) {
            case TASK -> setSeen(byNumber.get(record.word(index, 1)));
            case PUBLISH, ACQUIRE -> setSeen(of((int) record.word(index, 0)));
            case DEFER, DEFERRED_COMPLETE -> setSeen(of((int) record.word(index, 1)));
            case EDGE -> {
                setSeen(of((int) record.word(index, 0)));
                setSeen(of((int) record.word(index, 1)));
            }
            case RING -> setSeen(byNumber.get(Integer.toUnsignedLong((int) record.word(index, 0))));
            case ORCHESTRATION_BEGIN, ORCHESTRATION_END, SCOPE_BEGIN, SCOPE_END, TASK_END ->
                setSeen(byNumber.get(record.word(index, 0)));
            default -> {
                // refers to no task
            }
        }
    }

    private static void setSeen(@Nullable GraphRun run) {
        if (run != null) {
            run.setSeen(GraphRun.DOES_MORE);
        }
    }

    private boolean begin(long index) {
        long number = record.word(index, 0);
        GraphRun run = new GraphRun(
                runs.size(), number, (int) record.word(index, 1), new TaskArguments(record, allocated, room));
        runs.add(run);
        open.add(run);
        GraphRun before = byNumber.put(number, run);
        if (before != null) {
            before.setSeen(GraphRun.DOES_MORE);
            run.setSeen(GraphRun.DOES_MORE);
        }
        return false; // by an actor of a run: a graph in a graph
    }

    private boolean end(long index) {
        GraphRun run = byNumber.get(record.word(index, 0));
        if (run != null) {
            if (!run.isOpen()) {
                run.setSeen(GraphRun.DOES_MORE);
            }
            if (record.word(index, 1) != 0) {
                run.setSeen(GraphRun.FAILED);
            }
            run.end();
            open.remove(run);
        }
        return false;
    }

    private boolean introduce(int actor, long index) {
        GraphRun run = ActorKind.orNull(record.word(index, 0)) == ActorKind.ORCHESTRATION
                ? byNumber.get(record.word(index, 1))
                : null;
        if (run != null && (run.hasOrchestration() || !actors.put(actor, run.index, Role.ORCHESTRATION))) {
            run.setSeen(GraphRun.DOES_MORE);
        }
        if (run != null) {
            run.setOrchestration();
        }
        return false;
    }

    private boolean beginBlock(int actor, long index) {
        int parent = (int) record.word(index, 0);
        GraphRun run = of(parent);
        if (run == null) {
            return false;
        }
        boolean tells = record.word(index, 3) >>> Integer.SIZE == 1;
        if (!actors.role(parent).isTask() || tells || !actors.put(actor, run.index, Role.BLOCK)) {
            run.setSeen(GraphRun.DOES_MORE);
            return false;
        }
        actors.replace(parent, Role.TASK_WITH_BLOCK);
        run.addBlock(run.isFirstBlock() ? record.event(index) : null, actor);
        return true;
    }

    private boolean addArgument(GraphRun run, int task, long index) {
        run.arguments.add(task, index);
        return true;
    }

    private boolean endTask(GraphRun run, long index) {
        run.endTask();
        return record.word(index, 0) == run.number && record.word(index, 1) == 0;
    }

    private static boolean endBlock(GraphRun run) {
        run.endBlock();
        return true;
    }

    /** By an orchestration function, it is the heap of a ring. No one has used such addresses before. */
    private boolean allocate(Role role, long index) {
        long address = record.word(index, 0);
        allocated.add(ANY, address, address + record.word(index, 1));
        return role == Role.ORCHESTRATION;
    }

    /** An address stands for the same memory throughout a run that is summarized. */
    private boolean endMemory() {
        open.forEach(run -> run.setSeen(GraphRun.FREED));
        return false;
    }

    private boolean leaveOut(long index) {
        GraphRun run = byNumber.get(record.word(index, 0));
        if (run != null) {
            run.leaveOut(record.word(index, 1), record.word(index, 2) != 0);
        } else {
            hasUnknown = true;
        }
        return false;
    }

    /** What an orchestration function does. */
    private boolean orchestrates(EventKind kind, GraphRun run, long index) {
        long word = record.word(index, 0);
        return switch (kind) {
            case TASK -> addTask(run, index);
            case EDGE -> of((int) word) == run && of((int) record.word(index, 1)) == run;
            case PUBLISH -> of((int) word) == run;
            case RING -> {
                run.setRings();
                yield Integer.toUnsignedLong((int) word) == run.number;
            }
            case SCOPE_BEGIN -> word == run.number && record.word(index, 3) == 0;
            case ORCHESTRATION_BEGIN, SCOPE_END -> word == run.number;
            case ORCHESTRATION_END -> {
                run.endOrchestration();
                yield word == run.number;
            }
            default -> false;
        };
    }

    private boolean addTask(GraphRun run, long index) {
        int task = (int) record.word(index, 0);
        run.addTask(run.isFirstTask() ? record.event(index) : null, task);
        return record.word(index, 1) == run.number && actors.put(task, run.index, Role.TASK);
    }
}
