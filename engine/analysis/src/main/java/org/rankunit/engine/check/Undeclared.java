package org.rankunit.engine.check;

import static org.rankunit.engine.timeline.order.EventGraph.key;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.check.Access.How;
import org.rankunit.engine.check.KernelRuns.KernelRun;
import org.rankunit.engine.check.bytes.ByteRanges;
import org.rankunit.engine.check.bytes.Pieces.Bytes;
import org.rankunit.engine.timeline.LoggedEvent;
import org.rankunit.engine.timeline.LoggedEvent.Use;
import org.rankunit.engine.timeline.TestRange.Place;
import org.rankunit.engine.timeline.TestRange.Space;
import org.rankunit.engine.timeline.order.EventGraph;
import org.rankunit.engine.timeline.order.Node;

/**
 * Finds what kernels that declare their arguments access through pointers beyond them, or in another way than they declare.
 * What orders a kernel by its declarations, such as a runtime that derives dependencies, does not order that.
 *
 * <p>Memory of which a kernel has an address as a scalar is not looked at, since it cannot say how it uses that, nor are windows if
 * it reads memory that is neither one nor of the test, such as the context of a communicator, which has the addresses of all windows.
 */
final class Undeclared {

    /** So many are told of each kernel and line; more say no more. */
    private static final int MAX = 4;

    private final EventGraph graph;
    private final MemoryNames memory;
    private final Map<Integer, List<Allocation>> allocations = new HashMap<>();
    private final Map<List<String>, List<String>> found = new LinkedHashMap<>();

    /** Memory that the test allocated, or a buffer of it; positions are those of events in the log of the rank. */
    private record Allocation(long begin, long end, long from, long until) {

        boolean has(long address, long index) {
            return address >= begin && address < end && index > from && index < until;
        }
    }

    private Undeclared(EventGraph graph, MemoryNames memory) {
        this.graph = graph;
        this.memory = memory;
    }

    static List<String> among(EventGraph graph, KernelRuns kernels, List<Access> accesses, MemoryNames memory) {
        Map<KernelRun, List<Access>> byKernel = new LinkedHashMap<>();
        for (Access access : accesses) {
            KernelRun kernel = isThroughPointer(access) ? kernels.of(access) : null;
            if (kernel != null && kernel.isDeclared() && kernel.tells()) {
                byKernel.computeIfAbsent(kernel, each -> new ArrayList<>()).add(access);
            }
        }
        if (byKernel.isEmpty()) {
            return List.of();
        }
        Undeclared undeclared = new Undeclared(graph, memory);
        undeclared.findAllocations();
        byKernel.forEach(undeclared::look);
        return undeclared.found.values().stream()
                .flatMap(texts -> texts.stream().distinct().limit(MAX))
                .toList();
    }

    private static boolean isThroughPointer(Access access) {
        return access.node().event instanceof LoggedEvent.PointerAccess
                || access.node().event instanceof LoggedEvent.AtomicChange;
    }

    private void findAllocations() {
        Map<Long, Node> open = new LinkedHashMap<>();
        for (Node node : graph.nodes()) {
            if (node.event instanceof LoggedEvent.Allocate made) {
                open.put(key(node.rank, made.address()), node);
            } else if (node.event instanceof LoggedEvent.Free free) {
                add(open.remove(key(node.rank, free.address())), free.at().index());
            } else if (node.event instanceof LoggedEvent.Named named) {
                // buffers may have been allocated before the test
                add(node.rank, new Allocation(named.address(), named.address() + named.bytes(), -1, Long.MAX_VALUE));
            }
        }
        open.values().forEach(node -> add(node, Long.MAX_VALUE));
    }

    private void add(@Nullable Node node, long until) {
        if (node != null && node.event instanceof LoggedEvent.Allocate made) {
            add(
                    node.rank,
                    new Allocation(
                            made.address(),
                            made.address() + made.bytes(),
                            made.at().index(),
                            until));
        }
    }

    private void add(int rank, Allocation allocation) {
        allocations.computeIfAbsent(rank, each -> new ArrayList<>()).add(allocation);
    }

    private @Nullable Allocation allocation(int rank, long address, long index) {
        return allocations.getOrDefault(rank, List.of()).stream()
                .filter(allocation -> allocation.has(address, index))
                .findFirst()
                .orElse(null);
    }

    private void look(KernelRun kernel, List<Access> accesses) {
        ByteRanges readable = new ByteRanges();
        ByteRanges writable = new ByteRanges();
        ByteRanges onlyWritten = new ByteRanges();
        for (LoggedEvent.Argument argument : kernel.arguments()) {
            Place place = graph.range(kernel.rank()).placeOf(kernel.rank(), argument.value(), argument.at());
            if (argument.use() == Use.SCALAR) {
                addAllOf(kernel.rank(), place, argument, readable);
                addAllOf(kernel.rank(), place, argument, writable);
            } else {
                (argument.use() == Use.WRITTEN ? onlyWritten : readable)
                        .add(place.space(), place.offset(), place.offset() + argument.bytes());
                if (argument.use() != Use.READ) {
                    writable.add(place.space(), place.offset(), place.offset() + argument.bytes());
                }
            }
        }
        ByteRanges written = new ByteRanges();
        accesses.stream()
                .filter(access -> access.how().writes())
                .forEach(access -> written.add(access.space(), access.pieces()));
        ByteRanges declared = readable.plus(onlyWritten);
        ByteRanges filled = readable.plus(written);
        boolean hasOtherMemory = accesses.stream()
                .anyMatch(
                        access -> isOfOthers(access) && declared.firstMissing(access.space(), access.pieces()) != null);
        for (Access access : accesses) {
            if (!isOfOthers(access) && !(hasOtherMemory && access.space() instanceof Space.Window)) {
                if (access.how() == How.READ) {
                    lookAtRead(kernel, access, declared, filled);
                } else {
                    lookAtWrite(kernel, access, readable, writable);
                }
            }
        }
    }

    /** All of the memory in which an address lies. */
    private void addAllOf(int rank, Place place, LoggedEvent.Argument argument, ByteRanges to) {
        if (place.space() instanceof Space.Window) {
            to.add(place.space(), 0, Long.MAX_VALUE);
            return;
        }
        Allocation allocation = allocation(rank, place.offset(), argument.at().index());
        if (allocation != null) {
            to.add(place.space(), allocation.begin(), allocation.end());
        }
    }

    /** Whether it is in memory that is not known: of a communicator, or from before the test. */
    private boolean isOfOthers(Access access) {
        Node node = access.node();
        return access.space() instanceof Space.Device device
                && node.event != null
                && allocation(device.rank(), access.offset(), node.event.at().index()) == null;
    }

    private void lookAtWrite(KernelRun kernel, Access access, ByteRanges readable, ByteRanges writable) {
        Bytes bytes = writable.firstMissing(access.space(), access.pieces());
        if (bytes != null) {
            boolean input = readable.has(access.space(), bytes);
            tell(kernel, access, bytes, input ? "declares only as input" : "does not declare");
        }
    }

    private void lookAtRead(KernelRun kernel, Access access, ByteRanges declared, ByteRanges filled) {
        Bytes bytes = declared.firstMissing(access.space(), access.pieces());
        if (bytes != null) {
            tell(kernel, access, bytes, "does not declare");
            return;
        }
        bytes = filled.firstMissing(access.space(), access.pieces());
        if (bytes != null) {
            tell(kernel, access, bytes, "declares only as output and never writes");
        }
    }

    private void tell(KernelRun kernel, Access access, Bytes bytes, String how) {
        Place place = new Place(access.space(), bytes.begin());
        found.computeIfAbsent(List.of(kernel.who(), kernel.at(), access.what(), how), key -> new ArrayList<>())
                .add("undeclared: a kernel accesses "
                        + memory.of(place, bytes.end() - bytes.begin(), access.node()) + ", which it " + how
                        + "\n    " + access.how().text() + " by " + access.who() + ": " + access.what()
                        + "\n    launched or made"
                        + (kernel.at().isEmpty() ? " at an unknown place" : kernel.at())
                        + "; declare an argument for it, or hand over its address as a scalar.");
    }
}
