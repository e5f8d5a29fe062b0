package org.rankunit.engine.check;

import static org.rankunit.engine.timeline.order.EventGraph.key;

import java.util.HashMap;
import java.util.Map;
import org.rankunit.engine.timeline.LoggedEvent;
import org.rankunit.engine.timeline.order.EventGraph;
import org.rankunit.engine.timeline.order.LaunchNodes;
import org.rankunit.engine.timeline.order.Node;
import org.rankunit.engine.timeline.order.TaskNodes;

/** Which line of the program has asked for what happened. */
final class ProgramPlaces {

    private final EventGraph graph;
    private final Map<Node, Integer> places = new HashMap<>();

    /** Of works, by rank and number. */
    private final Map<Long, Integer> works = new HashMap<>();

    /** What is said of them, by rank and place. */
    private final Map<Long, String> texts = new HashMap<>();

    /** What actors are doing, by rank and actor: tasks all the time, streams and hosts while they do some work. */
    private final Map<Long, Integer> doing = new HashMap<>();

    ProgramPlaces(EventGraph graph) {
        this.graph = graph;
        graph.nodes().forEach(this::look);
    }

    /** The events of a rank come in their order, so what they belong to has been seen before. */
    private void look(Node node) {
        if (node.event == null) {
            return;
        }
        long actor = key(node.rank, node.event.at().actor());
        int own = 0;
        if (node.event instanceof LoggedEvent.Enqueue enqueue) {
            // What a kernel starts has no line of its own, but that of its launch.
            own = enqueue.place() == 0 ? doing.getOrDefault(actor, 0) : enqueue.place();
            works.put(key(node.rank, enqueue.work()), own);
        } else if (node.event instanceof LoggedEvent.WorkBegin begin) {
            works.putIfAbsent(key(node.rank, begin.work()), begin.place());
            doing.put(actor, works.get(key(node.rank, begin.work())));
        } else if (node.event instanceof LoggedEvent.WorkEnd) {
            doing.remove(actor);
        } else if (node.event instanceof LoggedEvent.Task task) {
            doing.put(key(node.rank, task.task()), task.place());
        } else if (node.event instanceof LoggedEvent.BlockBegin block) {
            Integer ofTask = doing.get(key(node.rank, block.parent()));
            doing.put(actor, works.getOrDefault(key(node.rank, block.work()), ofTask == null ? 0 : ofTask));
        } else {
            own = ownOf(node.event);
        }
        int place = doing.getOrDefault(actor, own);
        if (place != 0) {
            places.put(node, place);
        }
    }

    private static int ownOf(LoggedEvent event) {
        if (event instanceof LoggedEvent.Copy copy) {
            return copy.place();
        } else if (event instanceof LoggedEvent.Signal signal) {
            return signal.place();
        } else if (event instanceof LoggedEvent.Allocate allocate) {
            return allocate.place();
        }
        return event instanceof LoggedEvent.Free free ? free.place() : 0;
    }

    /** Tell where something was asked for: {@code " at RingTest.java:41"}, or nothing if that is not known. */
    String at(Node node) {
        if (node.event instanceof LoggedEvent.PointerAccess access) {
            return text(node.rank, access.place());
        }
        return text(node.rank, places.getOrDefault(node, 0));
    }

    String at(TaskNodes task) {
        return text(task.rank, task.made.place());
    }

    String at(LaunchNodes launch) {
        return at(launch.begin);
    }

    private String text(int rank, int place) {
        return place == 0
                ? ""
                : texts.computeIfAbsent(key(rank, place), each -> {
                    String text = graph.range(rank).text(place);
                    return text.isEmpty() ? "" : " at " + text;
                });
    }
}
