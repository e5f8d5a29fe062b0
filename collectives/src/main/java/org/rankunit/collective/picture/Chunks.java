package org.rankunit.collective.picture;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.rankunit.collective.Region;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.Demand;
import org.rankunit.collective.schedule.RankSchedule;
import org.rankunit.collective.schedule.Schedule;
import org.rankunit.collective.schedule.Task;

/** The buffers that tasks write, divided where a task begins or ends; the same division for all ranks. */
final class Chunks {

    /** A buffer of more chunks is not shown. */
    private static final int MAX = 32;

    private final Map<BufferKind, List<Chunk>> shown = new EnumMap<>(BufferKind.class);
    private final List<BufferKind> tooFine = new ArrayList<>();

    /** Bytes of a buffer. */
    record Chunk(long from, long end) {}

    private Chunks() {}

    static Chunks of(Schedule schedule) {
        Map<BufferKind, SortedSet<Long>> edges = new EnumMap<>(BufferKind.class);
        Map<BufferKind, List<Region>> written = new EnumMap<>(BufferKind.class);
        for (RankSchedule rank : schedule.ranks()) {
            for (Task task : rank.tasks()) {
                Region from = task.from();
                Region to = task.to();
                if (from != null && to != null) {
                    addEdges(edges, from);
                    addEdges(edges, to);
                    written.computeIfAbsent(to.buffer(), kind -> new ArrayList<>())
                            .add(to);
                }
            }
        }
        if (!schedule.call().inPlace()) {
            addDemands(edges, schedule.call());
        }
        Chunks chunks = new Chunks();
        written.forEach((kind, regions) -> chunks.add(kind, edges.getOrDefault(kind, new TreeSet<>()), regions));
        return chunks;
    }

    private static void addEdges(Map<BufferKind, SortedSet<Long>> edges, Region region) {
        SortedSet<Long> known = edges.computeIfAbsent(region.buffer(), kind -> new TreeSet<>());
        known.add(region.from());
        known.add(region.from() + region.bytes());
    }

    private static void addDemands(Map<BufferKind, SortedSet<Long>> edges, CollectiveCall call) {
        for (int rank = 0; rank < call.ranks(); rank++) {
            for (Demand demand : call.demands(rank)) {
                addEdges(
                        edges,
                        new Region(
                                rank,
                                BufferKind.OUTPUT,
                                demand.output().from(),
                                demand.output().bytes()));
            }
        }
    }

    private void add(BufferKind kind, SortedSet<Long> edges, List<Region> written) {
        List<Chunk> chunks = new ArrayList<>();
        long from = 0;
        for (long end : edges) {
            Chunk chunk = new Chunk(from, end);
            if (end > from
                    && written.stream()
                            .anyMatch(
                                    each -> each.from() <= chunk.from() && each.from() + each.bytes() >= chunk.end())) {
                chunks.add(chunk);
            }
            from = end;
        }
        if (chunks.size() > MAX) {
            tooFine.add(kind);
        } else {
            shown.put(kind, chunks);
        }
    }

    /** The buffers that are shown. */
    List<BufferKind> kinds() {
        return List.copyOf(shown.keySet());
    }

    List<Chunk> of(BufferKind kind) {
        return shown.getOrDefault(kind, List.of());
    }

    /** The buffers that have too many chunks. */
    List<BufferKind> tooFine() {
        return List.copyOf(tooFine);
    }

    /** The numbers of the chunks of a region, such as {@code "#1"} or {@code "#0-3"}; empty if it is all or not shown. */
    String numbers(Region region) {
        List<Chunk> all = of(region.buffer());
        int first = -1;
        int last = -1;
        for (int number = 0; number < all.size(); number++) {
            Chunk chunk = all.get(number);
            if (chunk.from() >= region.from() && chunk.end() <= region.from() + region.bytes()) {
                first = first < 0 ? number : first;
                last = number;
            }
        }
        if (first < 0 || (first == 0 && last == all.size() - 1)) {
            return "";
        }
        return first == last ? "#" + first : "#" + first + "-" + last;
    }
}
