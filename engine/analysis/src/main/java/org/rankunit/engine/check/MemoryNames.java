package org.rankunit.engine.check;

import static org.rankunit.engine.timeline.order.EventGraph.key;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.rankunit.engine.timeline.LoggedEvent;
import org.rankunit.engine.timeline.TestRange.Place;
import org.rankunit.engine.timeline.TestRange.Space;
import org.rankunit.engine.timeline.order.EventGraph;
import org.rankunit.engine.timeline.order.Node;

/** What memory is called in messages: by the buffer that the test declares there, or the allocation that made it. */
final class MemoryNames {

    private final Map<Space, List<Buffer>> buffers = new HashMap<>();
    private final Map<Integer, List<Allocation>> allocations = new HashMap<>();
    private final ProgramPlaces places;

    /** A buffer that a test declares. */
    private record Buffer(String name, long offset, long bytes) {

        boolean has(long begin, long end) {
            return begin >= offset && end <= offset + bytes;
        }

        boolean overlaps(long begin, long end) {
            return begin < offset + bytes && offset < end;
        }
    }

    /** Memory that the test allocated; positions are those of events in the log of the rank. */
    private static final class Allocation {

        final int number;
        final Node node;
        final LoggedEvent.Allocate made;
        long ends = Long.MAX_VALUE;

        Allocation(int number, Node node, LoggedEvent.Allocate made) {
            this.number = number;
            this.node = node;
            this.made = made;
        }

        boolean has(long begin, long end) {
            return begin >= made.address() && end <= made.address() + made.bytes();
        }

        boolean isLiveAt(long index) {
            return index >= made.at().index() && index <= ends;
        }
    }

    MemoryNames(EventGraph graph, ProgramPlaces places) {
        this.places = places;
        Map<Long, Allocation> open = new HashMap<>();
        for (Node node : graph.nodes()) {
            if (node.event instanceof LoggedEvent.Named named) {
                Place place = graph.range(node.rank).placeOf(node.rank, named.address(), named.at());
                buffers.computeIfAbsent(place.space(), space -> new ArrayList<>())
                        .add(new Buffer(graph.range(node.rank).text(named.text()), place.offset(), named.bytes()));
            } else if (node.event instanceof LoggedEvent.Allocate made) {
                List<Allocation> ofRank = allocations.computeIfAbsent(node.rank, rank -> new ArrayList<>());
                Allocation allocation = new Allocation(ofRank.size() + 1, node, made);
                ofRank.add(allocation);
                open.put(key(node.rank, made.address()), allocation);
            } else if (node.event instanceof LoggedEvent.Free free) {
                Allocation ended = open.remove(key(node.rank, free.address()));
                if (ended != null) {
                    ended.ends = free.at().index();
                }
            }
        }
    }

    /**
     * Name bytes: {@code "bytes [0, 64) of `input` of rank 1"}.
     *
     * @param users what used them; this tells of which allocation they were if several had the same address
     */
    String of(Place place, long bytes, Node... users) {
        long begin = place.offset();
        long end = begin + bytes;
        int rank =
                place.space() instanceof Space.Window window ? window.ofRank() : ((Space.Device) place.space()).rank();
        List<Buffer> here = buffers.getOrDefault(place.space(), List.of()).stream()
                .filter(buffer -> buffer.overlaps(begin, end))
                .toList();
        if (here.size() == 1 && here.get(0).has(begin, end)) {
            long offset = here.get(0).offset();
            return bytes(begin - offset, end - offset) + " of `" + here.get(0).name() + "` of rank " + rank;
        }
        String all = here.isEmpty()
                ? ""
                : here.stream().map(buffer -> "`" + buffer.name() + "`").collect(Collectors.joining(", ", " (", ")"));
        return place.space() instanceof Space.Window window
                ? bytes(begin, end) + " of the " + window.name() + all
                : bytes + (bytes == 1 ? " byte" : " bytes") + " at 0x" + Long.toHexString(begin)
                        + " in the memory of rank " + rank + allocation(rank, begin, end, users) + all;
    }

    private static String bytes(long begin, long end) {
        return "bytes [" + begin + ", " + end + ")";
    }

    private String allocation(int rank, long begin, long end, Node... users) {
        List<Allocation> possible = allocations.getOrDefault(rank, List.of()).stream()
                .filter(allocation -> allocation.has(begin, end))
                .toList();
        List<Allocation> certain = possible.size() == 1
                ? possible
                : possible.stream()
                        .filter(allocation -> Arrays.stream(users)
                                .anyMatch(node -> node.rank == rank
                                        && node.event != null
                                        && allocation.isLiveAt(node.event.at().index())))
                        .toList();
        if (certain.size() != 1) {
            return "";
        }
        Allocation found = certain.get(0);
        long offset = found.made.address();
        return " (" + bytes(begin - offset, end - offset) + " of the " + found.made.bytes() + " of its allocation "
                + found.number + " in this test" + places.at(found.node) + ")";
    }
}
