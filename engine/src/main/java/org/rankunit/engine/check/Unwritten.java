package org.rankunit.engine.check;

import static org.rankunit.engine.timeline.order.EventGraph.key;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.rankunit.engine.check.Access.How;
import org.rankunit.engine.timeline.LoggedEvent;
import org.rankunit.engine.timeline.LoggedEvent.Use;
import org.rankunit.engine.timeline.TestRange.Place;
import org.rankunit.engine.timeline.TestRange.Space;
import org.rankunit.engine.timeline.order.EventGraph;
import org.rankunit.engine.timeline.order.Node;

/**
 * Finds bytes that were read although nobody ever wrote them. Such memory is zero in the simulator and anything on a device.
 *
 * <p>Only memory is looked at that the test itself allocated on a device. A rank that launched a kernel
 * whose arguments are not declared is left out, since what such a kernel writes is not recorded, and so is memory whose address a
 * kernel has as a scalar. When it was written
 * does not matter here; that it was written before it was read is for {@link Races}.
 */
final class Unwritten {

    private final Set<Integer> launching = new HashSet<>();
    private final Map<Long, Life> open = new HashMap<>();
    private final List<Life> lives = new ArrayList<>();

    /** Memory from its allocation until it is freed; positions are those of events in the log of the rank. */
    private static final class Life {

        final int rank;
        final Node made;
        final long address;
        final long end;
        final long begins;
        long ends = Long.MAX_VALUE;
        boolean maybeWritten;
        final List<Access> writes = new ArrayList<>();
        final List<Access> reads = new ArrayList<>();

        Life(Node made, LoggedEvent.Allocate allocate) {
            this.rank = made.rank;
            this.made = made;
            this.address = allocate.address();
            this.end = allocate.address() + allocate.bytes();
            this.begins = allocate.at().index();
        }

        boolean has(int ofRank, long offset, long bytes) {
            return rank == ofRank && offset < end && address < offset + bytes;
        }

        boolean isLiveAt(Node node) {
            return node.event == null
                    || node.rank != rank
                    || (node.event.at().index() > begins && node.event.at().index() < ends);
        }
    }

    private Unwritten() {}

    static List<String> among(EventGraph graph, List<Access> accesses, MemoryNames memory) {
        Unwritten unwritten = new Unwritten();
        graph.nodes().forEach(unwritten::look);
        unwritten.lives.removeIf(life -> life.maybeWritten || unwritten.launching.contains(life.rank));
        if (unwritten.lives.isEmpty()) {
            return List.of();
        }
        accesses.forEach(unwritten::assign);
        return unwritten.lives.stream()
                .flatMap(life -> texts(life, memory).stream())
                .distinct()
                .toList();
    }

    private void look(Node node) {
        if (node.event instanceof LoggedEvent.Allocate allocate) {
            Life life = new Life(node, allocate);
            open.put(key(node.rank, allocate.address()), life);
            lives.add(life);
        } else if (node.event instanceof LoggedEvent.Free free) {
            Life life = open.remove(key(node.rank, free.address()));
            if (life != null) {
                life.ends = node.event.at().index();
            }
        } else if (node.event instanceof LoggedEvent.Argument argument && argument.use() == Use.UNKNOWN) {
            launching.add(node.rank);
        } else if (node.event instanceof LoggedEvent.Argument argument && argument.use() == Use.SCALAR) {
            lives.stream()
                    .filter(life -> life.has(node.rank, argument.value(), 1))
                    .forEach(life -> life.maybeWritten = true);
        }
    }

    private void assign(Access access) {
        if (access.place().space() instanceof Space.Device device) {
            for (Life life : lives) {
                if (life.has(device.rank(), access.offset(), access.bytes()) && life.isLiveAt(access.node())) {
                    (access.how() == How.READ ? life.reads : life.writes).add(access);
                }
            }
        }
    }

    private static List<String> texts(Life life, MemoryNames memory) {
        life.writes.sort(Comparator.comparingLong(Access::offset));
        List<String> found = new ArrayList<>();
        for (Access read : life.reads) {
            long at = Math.max(read.offset(), life.address);
            long end = Math.min(read.end(), life.end);
            for (Access write : life.writes) {
                if (write.offset() <= at) {
                    at = Math.max(at, write.end());
                }
            }
            if (at < end) {
                long next = nextWrite(life, at, end);
                Place place = new Place(read.place().space(), at);
                found.add("unwritten: " + memory.of(place, next - at, life.made)
                        + " were read, and nobody has written them\n    read by " + read.who() + ": " + read.what());
            }
        }
        return found;
    }

    private static long nextWrite(Life life, long at, long end) {
        return life.writes.stream()
                .mapToLong(Access::offset)
                .filter(offset -> offset > at && offset < end)
                .min()
                .orElse(end);
    }
}
