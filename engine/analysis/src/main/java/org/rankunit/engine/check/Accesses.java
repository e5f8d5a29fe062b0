package org.rankunit.engine.check;

import static org.rankunit.engine.timeline.order.EventGraph.key;
import static org.rankunit.engine.timeline.order.EventGraph.order;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.rankunit.engine.check.Access.How;
import org.rankunit.engine.check.KernelRuns.KernelRun;
import org.rankunit.engine.check.bytes.Pieces;
import org.rankunit.engine.timeline.LoggedEvent;
import org.rankunit.engine.timeline.LoggedEvent.Use;
import org.rankunit.engine.timeline.LoggedEvent.Way;
import org.rankunit.engine.timeline.TestRange.Place;
import org.rankunit.engine.timeline.TestRange.Space;
import org.rankunit.engine.timeline.order.EventGraph;
import org.rankunit.engine.timeline.order.Node;
import org.rankunit.engine.timeline.order.TaskNodes.BlockNodes;

/**
 * Finds what was read and written.
 *
 * <p>A kernel of a task, or of a launch that declares its arguments, accesses these at a moment that is not recorded. It is
 * taken to read them after the last wait of its blocks, and to write them before the first signal of each: a kernel that does otherwise is not caught, and no kernel is
 * blamed for what it did not do.
 */
final class Accesses {

    private static final int CELL_BYTES = 4;

    private final EventGraph graph;
    private final Names names;
    private final List<Access> all = new ArrayList<>();
    private final Map<Long, LoggedEvent.Allocate> allocations = new HashMap<>();

    private Accesses(EventGraph graph, Names names) {
        this.graph = graph;
        this.names = names;
    }

    static List<Access> of(EventGraph graph, Names names, KernelRuns kernels) {
        Accesses accesses = new Accesses(graph, names);
        List.copyOf(graph.nodes()).forEach(accesses::addEvent);
        kernels.all().forEach(accesses::addKernel);
        return accesses.all;
    }

    private void addEvent(Node node) {
        if (node.event instanceof LoggedEvent.Copy copy) {
            addCopy(node, copy);
        } else if (node.event instanceof LoggedEvent.PointerAccess access) {
            addPieces(
                    node,
                    access.write() ? How.WRITE : How.READ,
                    new Pieces(access.address(), access.bytes(), access.distance(), access.pieces()));
        } else if (node.event instanceof LoggedEvent.AtomicChange change) {
            addPieces(
                    node,
                    How.ATOMIC_STORE,
                    new Pieces(change.address(), change.bytes(), change.distance(), change.pieces()));
        } else if (node.event instanceof LoggedEvent.Signal signal) {
            add(node, How.ATOMIC, signal.cell(), CELL_BYTES, "a signal");
        } else if (node.event instanceof LoggedEvent.Wait wait) {
            add(node, How.ATOMIC, wait.cell(), CELL_BYTES, "a wait");
        } else if (node.event instanceof LoggedEvent.WindowsFreed freed) {
            graph.range(node.rank).endedBy(freed).forEach(window -> addRelease(node, window));
        } else if (node.event instanceof LoggedEvent.Allocate allocate) {
            allocations.put(key(node.rank, allocate.address()), allocate);
        } else if (node.event instanceof LoggedEvent.Free free) {
            LoggedEvent.Allocate allocate = allocations.remove(key(node.rank, free.address()));
            if (allocate != null) {
                add(node, How.WRITE, allocate.address(), allocate.bytes(), "freeing");
            }
        }
    }

    private void addRelease(Node node, LoggedEvent.Window window) {
        Space space = new Space.Window(window.communicator(), window.domain(), window.ofRank());
        all.add(new Access(
                node,
                How.UNMAP,
                new Place(space, 0),
                window.bytes(),
                0,
                names.who(node),
                "closing the windows",
                names.places().at(node)));
    }

    private void addCopy(Node node, LoggedEvent.Copy copy) {
        Way way = copy.way();
        String what = switch (names.transferOf(node)) {
            case NONE -> way == Way.ZERO ? "zeroing" : way == Way.ADD ? "an addition" : "a copy";
            case AWAITED -> "a put or get that the kernel waits for later";
            case FORGOTTEN -> "a put or get that was never waited for";
        };
        if (way == Way.OUT || way == Way.ACROSS || way == Way.ADD) {
            add(node, How.READ, copy.source(), copy.bytes(), what);
        }
        if (way != Way.OUT) {
            add(node, way == Way.ADD ? How.ATOMIC : How.WRITE, copy.target(), copy.bytes(), what);
        }
    }

    /** All of them lie in the same memory. */
    private void addPieces(Node node, How how, Pieces at) {
        if (node.event != null) {
            Place place = graph.range(node.rank).placeOf(node.rank, at.offset(), node.event.at());
            all.add(new Access(
                    node,
                    how,
                    place.space(),
                    new Pieces(place.offset(), at.bytes(), at.distance(), at.count()),
                    names.ownerOf(node),
                    names.who(node),
                    "through a pointer",
                    names.places().at(node)));
        }
    }

    private void add(Node node, How how, long address, long bytes, String what) {
        if (node.event != null) {
            Place place = graph.range(node.rank).placeOf(node.rank, address, node.event.at());
            all.add(new Access(
                    node,
                    how,
                    place,
                    bytes,
                    names.ownerOf(node),
                    names.who(node),
                    what,
                    names.places().at(node)));
        }
    }

    private void addKernel(KernelRun kernel) {
        if (kernel.blocks().isEmpty() || kernel.arguments().stream().noneMatch(Accesses::isTensor)) {
            return;
        }
        if (kernel.blocks().stream().anyMatch(Accesses::meetsOthers)) {
            // A block that signals another one does not make the whole kernel happen before it.
            kernel.blocks().forEach(block -> addArguments(kernel, List.of(block)));
        } else {
            addArguments(kernel, kernel.blocks());
        }
    }

    private static boolean meetsOthers(BlockNodes block) {
        return block.inside.stream().anyMatch(node -> node.event instanceof LoggedEvent.Wait || isSignal(node));
    }

    /** What others can see, so a kernel has written before it what it writes. */
    private static boolean isSignal(Node node) {
        return node.event instanceof LoggedEvent.Signal || node.event instanceof LoggedEvent.DeferredComplete;
    }

    private void addArguments(KernelRun kernel, List<BlockNodes> blocks) {
        Node read = graph.addAccess(kernel.rank());
        Node written = graph.addAccess(kernel.rank());
        for (BlockNodes block : blocks) {
            Node end = block.end;
            if (end != null) {
                surround(block, end, read, written);
            }
        }
        for (LoggedEvent.Argument argument : kernel.arguments()) {
            String what = "argument " + argument.index();
            Place place = graph.range(kernel.rank()).placeOf(kernel.rank(), argument.value(), argument.at());
            if (argument.use() == Use.READ || argument.use() == Use.READ_AND_WRITTEN) {
                all.add(new Access(
                        read, How.READ, place, argument.bytes(), kernel.owner(), kernel.who(), what, kernel.at()));
            }
            if (argument.use() == Use.WRITTEN || argument.use() == Use.READ_AND_WRITTEN) {
                all.add(new Access(
                        written, How.WRITE, place, argument.bytes(), kernel.owner(), kernel.who(), what, kernel.at()));
            }
        }
    }

    /** Whether a kernel says how it uses an argument. */
    static boolean isTensor(LoggedEvent.Argument argument) {
        return argument.use() != Use.SCALAR && argument.use() != Use.UNKNOWN;
    }

    private static void surround(BlockNodes block, Node end, Node read, Node written) {
        Node lastWait = block.begin;
        int afterWait = 0;
        int firstSignal = block.inside.size();
        for (int i = 0; i < block.inside.size(); i++) {
            if (block.inside.get(i).event instanceof LoggedEvent.Wait) {
                lastWait = block.inside.get(i);
                afterWait = i + 1;
            } else if (isSignal(block.inside.get(i)) && i < firstSignal) {
                firstSignal = i;
            }
        }
        order(lastWait, read);
        order(read, afterWait < block.inside.size() ? block.inside.get(afterWait) : end);
        order(firstSignal == 0 ? block.begin : block.inside.get(firstSignal - 1), written);
        order(written, firstSignal < block.inside.size() ? block.inside.get(firstSignal) : end);
    }
}
