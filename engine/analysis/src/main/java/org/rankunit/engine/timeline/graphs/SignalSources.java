package org.rankunit.engine.timeline.graphs;

import static org.rankunit.engine.timeline.order.EventGraph.key;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.timeline.LoggedEvent;
import org.rankunit.engine.timeline.order.EventGraph;
import org.rankunit.engine.timeline.order.Node;
import org.rankunit.engine.timeline.order.TaskNodes;

/** Finds who made the signals that waits have seen. Not thread-safe. */
final class SignalSources {

    private final EventGraph graph;
    private final Map<Long, Node> waits = new HashMap<>();

    /**
     * Who signalled.
     *
     * @param task {@code null} if it was no task
     * @param text who it was then, such as {@code "stream 2"}; an empty string for a task
     */
    record Source(int rank, LoggedEvent.@Nullable Task task, String text) {}

    SignalSources(EventGraph graph) {
        this.graph = graph;
        for (Node node : graph.nodes()) {
            if (node.event instanceof LoggedEvent.Wait wait) {
                waits.put(key(node.rank, wait.at().index()), node);
            }
        }
    }

    /** All signals that this wait of a rank has seen and that may have let it go on. */
    List<Source> of(int rank, LoggedEvent.Wait wait) {
        Node node = waits.get(key(rank, wait.at().index()));
        List<Source> sources = new ArrayList<>();
        if (node != null) {
            node.before.stream()
                    .filter(before -> before.event instanceof LoggedEvent.Signal)
                    .map(this::source)
                    .distinct()
                    .forEach(sources::add);
        }
        return sources;
    }

    private Source source(Node signal) {
        int actor = signal.event == null ? 0 : signal.event.at().actor();
        LoggedEvent.BlockBegin block = graph.block(signal.rank, actor);
        TaskNodes task = block == null ? null : graph.tasks().get(key(signal.rank, block.parent()));
        if (task != null) {
            return new Source(signal.rank, task.made, "");
        }
        LoggedEvent.@Nullable Actor known = graph.range(signal.rank).actor(block == null ? actor : block.parent());
        return new Source(signal.rank, null, known != null && known.stream() ? "stream " + known.number() : "host");
    }
}
