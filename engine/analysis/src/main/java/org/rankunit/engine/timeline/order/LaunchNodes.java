package org.rankunit.engine.timeline.order;

import static org.rankunit.engine.timeline.order.EventGraph.key;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.rankunit.engine.timeline.LoggedEvent;
import org.rankunit.engine.timeline.LoggedEvent.WorkKind;
import org.rankunit.engine.timeline.order.TaskNodes.BlockNodes;

/** The events of one launch outside of a graph. */
public final class LaunchNodes {

    public final Node begin;
    public final LoggedEvent.WorkBegin work;
    public final List<LoggedEvent.Argument> arguments = new ArrayList<>();
    public final List<BlockNodes> blocks = new ArrayList<>();

    private LaunchNodes(Node begin, LoggedEvent.WorkBegin work) {
        this.begin = begin;
        this.work = work;
    }

    /** Identifies what belongs to a launch; never the key of a task. */
    public static long owner(int rank, long work) {
        return -key(rank, work);
    }

    /** All launches, in the order in which they began on each rank. */
    static List<LaunchNodes> in(List<Node> nodes) {
        Map<Long, LaunchNodes> launches = new LinkedHashMap<>();
        Map<Long, BlockNodes> blocks = new HashMap<>();
        for (Node node : nodes) {
            if (node.event instanceof LoggedEvent.WorkBegin begin && begin.kind() == WorkKind.LAUNCH) {
                launches.put(key(node.rank, begin.work()), new LaunchNodes(node, begin));
            } else if (node.event instanceof LoggedEvent.Argument argument) {
                LaunchNodes launch = launches.get(key(node.rank, argument.work()));
                if (launch != null) {
                    launch.arguments.add(argument);
                }
            } else if (node.event instanceof LoggedEvent.BlockBegin begin) {
                LaunchNodes launch = launches.get(key(node.rank, begin.work()));
                if (launch != null) {
                    BlockNodes block = new BlockNodes(node);
                    launch.blocks.add(block);
                    blocks.put(key(node.rank, begin.at().actor()), block);
                }
            } else if (node.event != null && !blocks.isEmpty()) {
                BlockNodes block = blocks.get(key(node.rank, node.event.at().actor()));
                if (block != null) {
                    block.add(node);
                }
            }
        }
        return List.copyOf(launches.values());
    }
}
