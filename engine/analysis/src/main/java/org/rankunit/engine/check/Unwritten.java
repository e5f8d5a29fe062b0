package org.rankunit.engine.check;

import static java.util.Objects.requireNonNull;
import static org.rankunit.engine.timeline.order.EventGraph.key;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.check.Access.How;
import org.rankunit.engine.check.KernelRuns.KernelRun;
import org.rankunit.engine.check.bytes.ByteSet;
import org.rankunit.engine.check.bytes.Pieces.Bytes;
import org.rankunit.engine.check.order.ProgramOrder;
import org.rankunit.engine.timeline.LoggedEvent;
import org.rankunit.engine.timeline.LoggedEvent.Use;
import org.rankunit.engine.timeline.TestRange.Place;
import org.rankunit.engine.timeline.TestRange.Space;
import org.rankunit.engine.timeline.order.EventGraph;
import org.rankunit.engine.timeline.order.Node;

/**
 * Finds bytes that were read but had never been written. Such memory is zero in the simulator and anything on a device.
 *
 * <p>Only memory is looked at that the test itself allocated on a device. What kernels write is known if they declare their
 * arguments, or tell each access: then these count and not what is declared. A rank that launched a kernel of which neither is
 * known is left out, and so is memory whose address a kernel that does not tell has as a scalar. Writes that
 * nothing orders with a read count as well: that is for {@link Races}. So do those of the kernel that reads: the order of its accesses
 * between two signals is not recorded.
 */
final class Unwritten {

    private final Set<Integer> unknown = new HashSet<>();
    private final Map<Long, Life> open = new HashMap<>();
    private final Map<Integer, List<Life>> lives = new LinkedHashMap<>();
    private final ProgramOrder order;
    private final KernelRuns kernels;

    /** Memory from its allocation until it is freed; positions are those of events in the log of the rank. */
    private static final class Life {

        final Node made;
        final long address;
        final long end;
        final long begins;
        long ends = Long.MAX_VALUE;
        boolean maybeWritten;
        final List<Access> writes = new ArrayList<>();
        final List<Access> reads = new ArrayList<>();

        Life(Node made, LoggedEvent.Allocate allocate) {
            this.made = made;
            this.address = allocate.address();
            this.end = allocate.address() + allocate.bytes();
            this.begins = allocate.at().index();
        }

        boolean has(long offset, long bytes) {
            return offset < end && address < offset + bytes;
        }

        boolean isLiveAt(Node node) {
            return node.event == null
                    || node.rank != made.rank
                    || (node.event.at().index() > begins && node.event.at().index() < ends);
        }
    }

    private Unwritten(ProgramOrder order, KernelRuns kernels) {
        this.order = order;
        this.kernels = kernels;
    }

    static List<String> among(
            EventGraph graph, ProgramOrder order, KernelRuns kernels, List<Access> accesses, MemoryNames memory) {
        if (!graph.has(LoggedEvent.Allocate.class)) {
            return List.of();
        }
        Unwritten unwritten = new Unwritten(order, kernels);
        graph.nodes().forEach(unwritten::look);
        Set<LoggedEvent.Argument> ofTelling = kernels.argumentsOfTelling();
        graph.nodes(LoggedEvent.Argument.class).stream()
                .filter(node -> node.event instanceof LoggedEvent.Argument argument && !ofTelling.contains(argument))
                .forEach(node -> unwritten.lookAtUnknown(node.rank, (LoggedEvent.Argument) requireNonNull(node.event)));
        unwritten.lives.keySet().removeAll(unwritten.unknown);
        accesses.stream().filter(unwritten::counts).forEach(unwritten::assign);
        return unwritten.lives.values().stream()
                .flatMap(List::stream)
                .filter(life -> !life.maybeWritten && !life.reads.isEmpty())
                .flatMap(life -> unwritten.texts(life, memory).stream())
                .distinct()
                .toList();
    }

    private void look(Node node) {
        if (node.event instanceof LoggedEvent.Allocate allocate) {
            Life life = new Life(node, allocate);
            open.put(key(node.rank, allocate.address()), life);
            lives.computeIfAbsent(node.rank, rank -> new ArrayList<>()).add(life);
        } else if (node.event instanceof LoggedEvent.Free free) {
            Life life = open.remove(key(node.rank, free.address()));
            if (life != null) {
                life.ends = node.event.at().index();
            }
        }
    }

    /** An argument of a kernel that does not tell what it accesses. */
    private void lookAtUnknown(int rank, LoggedEvent.Argument argument) {
        if (argument.use() == Use.UNKNOWN) {
            unknown.add(rank);
        } else if (argument.use() == Use.SCALAR) {
            lives.getOrDefault(rank, List.of()).stream()
                    .filter(life -> life.has(argument.value(), 1))
                    .forEach(life -> life.maybeWritten = true);
        }
    }

    /** A kernel that tells its accesses may write less than it declares, and read less of what it also writes. */
    private boolean counts(Access access) {
        KernelRun kernel = access.isDeclared() ? kernels.of(access) : null;
        return kernel == null || !kernel.tells() || (access.how() == How.READ && isOnlyRead(kernel, access));
    }

    private static boolean isOnlyRead(KernelRun kernel, Access access) {
        return kernel.arguments().stream()
                .filter(argument -> argument.use() == Use.WRITTEN || argument.use() == Use.READ_AND_WRITTEN)
                .noneMatch(argument ->
                        argument.value() < access.end() && access.offset() < argument.value() + argument.bytes());
    }

    private void assign(Access access) {
        if (access.space() instanceof Space.Device device) {
            for (Life life : lives.getOrDefault(device.rank(), List.of())) {
                if (life.has(access.offset(), access.bytes()) && life.isLiveAt(access.node())) {
                    (access.how() == How.READ ? life.reads : life.writes).add(access);
                }
            }
        }
    }

    private List<String> texts(Life life, MemoryNames memory) {
        ByteSet ever = ByteSet.of(
                life.address,
                life.end,
                Stream.concat(life.reads.stream(), life.writes.stream())
                        .map(Access::pieces)
                        .toList());
        life.writes.forEach(write -> ever.add(write.pieces()));
        ByteSet before = ever.emptied();
        List<Access> writes = life.writes.stream()
                .filter(write -> write.node().event != null)
                .sorted(Comparator.comparingLong(Unwritten::index))
                .toList();
        life.reads.sort(Comparator.comparingLong(Unwritten::earliest));
        List<String> found = new ArrayList<>();
        int next = 0;
        for (Access read : life.reads) {
            // What was recorded before it does not happen after it.
            for (; next < writes.size() && index(writes.get(next)) <= earliest(read); next++) {
                before.add(writes.get(next).pieces());
            }
            if (before.firstMissing(read.pieces()) != null) {
                addText(life, read, ever, memory, found);
            }
        }
        return found;
    }

    private void addText(Life life, Access read, ByteSet ever, MemoryNames memory, List<String> found) {
        Bytes never = ever.firstMissing(read.pieces());
        Bytes missing = never == null ? notYet(life, read, ever.emptied()) : never;
        if (missing != null) {
            found.add("unwritten: "
                    + memory.of(new Place(read.space(), missing.begin()), missing.end() - missing.begin(), life.made)
                    + " were read, but nothing "
                    + (never == null ? "had written them; they are written only later" : "has written them")
                    + "\n    read by " + read.who() + ": " + read.what());
        }
    }

    private @Nullable Bytes notYet(Life life, Access read, ByteSet before) {
        for (Access write : life.writes) {
            boolean isOwn = read.owner() != 0 && read.owner() == write.owner();
            if (isOwn || !order.isBefore(read.node(), write.node())) {
                before.add(write.pieces());
            }
        }
        return before.firstMissing(read.pieces());
    }

    private static long index(Access access) {
        return access.node().event == null
                ? Long.MAX_VALUE
                : access.node().event.at().index();
    }

    /** It happens after the event with this index. */
    private static long earliest(Access read) {
        return read.node().event != null
                ? index(read)
                : read.node().before.stream()
                        .filter(node -> node.rank == read.node().rank && node.event != null)
                        .mapToLong(node -> node.event.at().index())
                        .max()
                        .orElse(-1);
    }
}
