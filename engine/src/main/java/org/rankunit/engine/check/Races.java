package org.rankunit.engine.check;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.rankunit.engine.timeline.TestRange.Place;
import org.rankunit.engine.timeline.TestRange.Space;
import org.rankunit.engine.timeline.order.EventGraph;
import org.rankunit.engine.timeline.order.Node;
import org.rankunit.engine.timeline.order.Overlaps;

/**
 * Finds pairs of accesses to the same bytes, at least one of which changes them, of which neither happened before the other.
 * What matters is the order that the program makes, not the one in which things happened to run.
 */
final class Races {

    private final List<Access> accesses;

    /** For each access, the accesses that happened before it, by their index. */
    private final BitSet[] before;

    private final Map<Access, Integer> indices = new HashMap<>();

    /** Two accesses that nothing orders. */
    private record Pair(Access a, Access b) {}

    private Races(EventGraph graph, List<Access> accesses) {
        this.accesses = accesses;
        this.before = new BitSet[accesses.size()];
        for (int i = 0; i < accesses.size(); i++) {
            indices.put(accesses.get(i), i);
        }
        propagate(graph);
    }

    /** Describe the races, one for each two that raced for some memory. */
    static List<String> among(EventGraph graph, List<Access> accesses, MemoryNames memory) {
        return new Races(graph, accesses)
                .find().stream().map(pair -> text(pair, memory)).toList();
    }

    private static String text(Pair pair, MemoryNames memory) {
        long begin = Math.max(pair.a().offset(), pair.b().offset());
        long end = Math.min(pair.a().end(), pair.b().end());
        return "race: two unordered accesses to "
                + memory.of(
                        new Place(pair.a().place().space(), begin),
                        end - begin,
                        pair.a().node(),
                        pair.b().node())
                + "\n    " + text(pair.a()) + "\n    " + text(pair.b())
                + "\n    No edge, event, notify, semaphore or barrier makes one of them happen before the other.";
    }

    private static String text(Access access) {
        return access.how().text() + " by " + access.who() + ": " + access.what();
    }

    private List<Pair> find() {
        record Places(Space space, String a, String b) {}
        Map<Space, List<Access>> bySpace = new LinkedHashMap<>();
        accesses.forEach(access -> bySpace.computeIfAbsent(access.place().space(), space -> new ArrayList<>())
                .add(access));
        Map<Places, Pair> found = new LinkedHashMap<>();
        for (List<Access> ofSpace : bySpace.values()) {
            Overlaps.forEach(ofSpace, (a, b) -> {
                if (a.conflictsWith(b) && !isOrdered(a, b)) {
                    found.putIfAbsent(new Places(a.place().space(), a.who(), b.who()), new Pair(a, b));
                }
            });
        }
        return List.copyOf(found.values());
    }

    private boolean isOrdered(Access a, Access b) {
        int first = indices.getOrDefault(a, -1);
        int second = indices.getOrDefault(b, -1);
        return a.node() == b.node() || before[second].get(first) || before[first].get(second);
    }

    /** Pass the accesses on from each node to those that happened after it, in an order in which these come later. */
    private void propagate(EventGraph graph) {
        List<Node> nodes = graph.nodes();
        List<List<Integer>> ofNode = new ArrayList<>();
        List<List<Node>> after = new ArrayList<>();
        int[] missing = new int[nodes.size()];
        nodes.forEach(node -> {
            ofNode.add(new ArrayList<>());
            after.add(new ArrayList<>());
        });
        for (int i = 0; i < accesses.size(); i++) {
            ofNode.get(accesses.get(i).node().number).add(i);
            before[i] = new BitSet();
        }
        for (Node node : nodes) {
            node.before.forEach(earlier -> after.get(earlier.number).add(node));
            missing[node.number] = node.before.size();
        }
        BitSet[] seen = new BitSet[nodes.size()];
        Deque<Node> ready = new ArrayDeque<>();
        nodes.stream().filter(node -> missing[node.number] == 0).forEach(ready::add);
        int done = 0;
        while (!ready.isEmpty()) {
            Node node = ready.remove();
            done++;
            BitSet own = Optional.ofNullable(seen[node.number]).orElseGet(BitSet::new);
            ofNode.get(node.number).forEach(access -> before[access] = (BitSet) own.clone());
            BitSet passed = node.isAccessAlone() ? new BitSet() : own;
            ofNode.get(node.number).forEach(passed::set);
            for (Node later : after.get(node.number)) {
                if (seen[later.number] == null) {
                    seen[later.number] = new BitSet();
                }
                seen[later.number].or(passed);
                if (--missing[later.number] == 0) {
                    ready.add(later);
                }
            }
            seen[node.number] = null;
        }
        if (done < nodes.size()) {
            throw new IllegalStateException("the events of the ranks contradict each other: " + (nodes.size() - done)
                    + " of " + nodes.size() + " happened before themselves");
        }
    }
}
