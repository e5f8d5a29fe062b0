package org.rankunit.engine.check;

import static org.rankunit.engine.timeline.order.EventGraph.key;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.timeline.LoggedEvent;
import org.rankunit.engine.timeline.TaskText;
import org.rankunit.engine.timeline.TestRange;
import org.rankunit.engine.timeline.order.EventGraph;
import org.rankunit.engine.timeline.order.LaunchNodes;
import org.rankunit.engine.timeline.order.Node;
import org.rankunit.engine.timeline.order.TaskNodes;

/** What those who do something are called in messages. */
final class Names {

    private static final int HOST = 0;

    private final EventGraph graph;
    private final Map<Long, LoggedEvent.Task> tasks = new HashMap<>();
    private final Map<Long, LoggedEvent.BlockBegin> blocks = new HashMap<>();
    private final Map<Long, String> graphs = new HashMap<>();
    private final Set<Long> awaited = new HashSet<>();

    /** Those with the same name, by rank and name. */
    private final Map<String, List<Integer>> threads = new HashMap<>();

    /** What actors are called, by rank and number. */
    private final Map<Long, String> actors = new HashMap<>();

    private final ProgramPlaces places;

    Names(EventGraph graph) {
        this.graph = graph;
        this.places = new ProgramPlaces(graph);
        for (Node node : graph.nodes()) {
            if (node.event instanceof LoggedEvent.Task task) {
                tasks.put(key(node.rank, task.task()), task);
            } else if (node.event instanceof LoggedEvent.BlockBegin block) {
                blocks.put(key(node.rank, block.at().actor()), block);
            } else if (node.event instanceof LoggedEvent.StreamSync sync) {
                awaited.add(key(node.rank, sync.stream()));
            } else if (node.event instanceof LoggedEvent.GraphBegin begin) {
                graphs.put(key(node.rank, begin.run()), graph.range(node.rank).text(begin.text()));
            }
        }
    }

    /** The lines of the program. */
    ProgramPlaces places() {
        return places;
    }

    /** Name who did something: {@code "rank 1, stream 2"}. */
    String who(Node node) {
        if (node.event == null) {
            return "rank " + node.rank;
        }
        long key = key(node.rank, node.event.at().actor());
        String known = actors.get(key);
        if (known == null) {
            known = "rank " + node.rank + ", "
                    + actor(node.rank, node.event.at().actor());
            actors.put(key, known);
        }
        return known;
    }

    /** Find the task or launch to which a block belongs that did something; 0 for none. */
    long ownerOf(Node node) {
        LoggedEvent.BlockBegin block = node.event == null
                ? null
                : blocks.get(key(node.rank, actorFor(node.rank, node.event.at().actor())));
        if (block == null) {
            return 0;
        }
        LoggedEvent.Task task = tasks.get(key(node.rank, block.parent()));
        return task == null ? LaunchNodes.owner(node.rank, block.work()) : key(node.rank, task.task());
    }

    /** Name a task: {@code "rank 1, task 3 "sum" (kernel "add") of graph "g""}. */
    String who(TaskNodes task) {
        return "rank " + task.rank + ", " + task(task.rank, task.made);
    }

    /** Name a launch: {@code "rank 1, stream 2, kernel "add""}. */
    String who(LaunchNodes launch) {
        return who(launch.begin) + kernel(launch.begin.rank, launch.work.text());
    }

    private String kernel(int rank, int text) {
        return ", kernel \"" + graph.range(rank).text(text) + "\"";
    }

    private String actor(int rank, int actor) {
        LoggedEvent.BlockBegin block = blocks.get(key(rank, actor));
        if (block != null) {
            return block(rank, block);
        }
        LoggedEvent.Task task = tasks.get(key(rank, actor));
        if (task != null) {
            return task(rank, task);
        }
        LoggedEvent.@Nullable Actor known = graph.range(rank).actor(actor);
        if (actor == HOST || known == null) {
            return "host";
        }
        return switch (known.kind()) {
            case STREAM -> "stream " + known.number();
            case ORCHESTRATION -> "orchestration \"" + graph.range(rank).text(known.text()) + "\"";
            case TRANSFER -> actor(rank, (int) known.number());
            case THREAD -> thread(rank, known);
        };
    }

    /** Threads may have the same name, of which the record has 15 characters. */
    private String thread(int rank, LoggedEvent.Actor thread) {
        String name = "thread \"" + graph.range(rank).text(thread.text()) + "\"";
        List<Integer> namesakes = threads.computeIfAbsent(rank + name, each -> new ArrayList<>());
        int actor = thread.at().actor();
        if (!namesakes.contains(actor)) {
            namesakes.add(actor);
        }
        int place = namesakes.indexOf(actor);
        return place == 0 ? name : name + " #" + (place + 1);
    }

    /** The block whose transfer an actor is, or the actor itself. */
    private int actorFor(int rank, int actor) {
        LoggedEvent.@Nullable Actor known = graph.range(rank).actor(actor);
        return known != null && known.kind() == LoggedEvent.ActorKind.TRANSFER ? (int) known.number() : actor;
    }

    /** Whether something was done by a transfer, and then whether its block has waited for it. */
    Transfer transferOf(Node node) {
        if (node.event == null) {
            return Transfer.NONE;
        }
        int actor = node.event.at().actor();
        if (actorFor(node.rank, actor) == actor) {
            return Transfer.NONE;
        }
        return awaited.contains(key(node.rank, actor)) ? Transfer.AWAITED : Transfer.FORGOTTEN;
    }

    /** What is known of a put or get that a kernel has started. */
    enum Transfer {
        NONE,
        AWAITED,
        FORGOTTEN
    }

    private String block(int rank, LoggedEvent.BlockBegin block) {
        LoggedEvent.Task task = tasks.get(key(rank, block.parent()));
        String part = (block.blocks() == 1 ? "" : ", block " + block.block() + " of " + block.blocks()) + " on "
                + (block.cube() ? "cube" : "vector") + " core " + block.core();
        return task == null
                ? actor(rank, block.parent()) + kernel(rank, block.kernel()) + part
                : task(rank, task) + part;
    }

    private String task(int rank, LoggedEvent.Task task) {
        TestRange range = graph.range(rank);
        String name = range.text(task.text());
        return "task " + TaskText.number(task) + (name.isEmpty() ? "" : " \"" + name + "\"") + " (kernel \""
                + range.text(task.kernel()) + "\") of graph \"" + graphs.getOrDefault(key(rank, task.run()), "") + "\"";
    }
}
