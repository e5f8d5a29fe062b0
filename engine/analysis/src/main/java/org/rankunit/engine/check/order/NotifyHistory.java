package org.rankunit.engine.check.order;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.timeline.LoggedEvent;
import org.rankunit.engine.timeline.order.EventGraph;
import org.rankunit.engine.timeline.order.Node;
import org.rankunit.engine.timeline.order.Pair;

/** The posts of each notify and the waits for it. A wait takes a post, whichever it is. */
final class NotifyHistory {

    private final Reach reach;
    private final Map<Long, Notify> notifies = new LinkedHashMap<>();

    /** Each chain of posts, and of waits, in its order. */
    private record Notify(Map<Integer, List<Node>> posts, Map<Integer, List<Node>> waits) {}

    NotifyHistory(EventGraph graph, Reach reach) {
        this.reach = reach;
        for (Node node : graph.nodes()) {
            if (node.event instanceof LoggedEvent.NotifyPost post) {
                add(notify(post.token()).posts(), node);
            } else if (node.event instanceof LoggedEvent.NotifyWait wait) {
                add(notify(wait.token()).waits(), node);
            }
        }
        for (Notify notify : notifies.values()) {
            sort(notify.posts());
            sort(notify.waits());
        }
    }

    private Notify notify(long token) {
        return notifies.computeIfAbsent(token, each -> new Notify(new TreeMap<>(), new TreeMap<>()));
    }

    private void sort(Map<Integer, List<Node>> chains) {
        chains.values().forEach(chain -> chain.sort(Comparator.comparingInt(reach::indexOf)));
    }

    private void add(Map<Integer, List<Node>> chains, Node node) {
        chains.computeIfAbsent(reach.chainOf(node), chain -> new ArrayList<>()).add(node);
    }

    /** What happens before a wait, since it needs one more post than the waits before it; {@code null} if it is no such wait. */
    @Nullable Clock learnedBy(Node node) {
        if (!(node.event instanceof LoggedEvent.NotifyWait wait)) {
            return null;
        }
        Notify notify = notify(wait.token());
        long missing = 1;
        for (List<Node> chain : notify.waits().values()) {
            missing += countBefore(chain, node);
        }
        List<Clock> clocks = new ArrayList<>();
        for (List<Node> chain : notify.posts().values()) {
            missing -= countBefore(chain, node);
        }
        for (List<Node> chain : notify.posts().values()) {
            chain.stream()
                    .skip(countBefore(chain, node))
                    .takeWhile(post -> !reach.isBefore(node, post) && !reach.isExcluded(post))
                    .limit(Math.max(0, missing))
                    .forEach(post -> clocks.add(reach.clockAfter(post)));
        }
        long[] values = new long[clocks.size()];
        Arrays.fill(values, 1);
        return missing <= 0 ? null : Clock.reached(clocks, values, missing);
    }

    private int countBefore(List<Node> chain, Node node) {
        return Prefix.end(0, chain.size(), i -> reach.isBefore(chain.get(i), node));
    }

    /** Posts of which the second one may come while the notify is still set by the first one. */
    List<Pair> losable() {
        List<Pair> pairs = new ArrayList<>();
        for (Notify notify : notifies.values()) {
            List<Node> posts = notify.posts().values().stream()
                    .flatMap(List::stream)
                    .sorted(Comparator.comparingLong(NotifyHistory::sequenceOf))
                    .toList();
            for (int i = 0; i < posts.size(); i++) {
                Node post = posts.get(i);
                int taken = notify.waits().values().stream()
                        .mapToInt(chain -> countBefore(chain, post))
                        .sum();
                long others = posts.size() - 1 - countAfter(notify, post);
                if (others > taken) {
                    pairs.add(pair(posts, i));
                }
            }
        }
        return pairs;
    }

    /** Waits that nothing orders, one pair for each two chains. */
    List<Pair> contending() {
        List<Pair> pairs = new ArrayList<>();
        for (Notify notify : notifies.values()) {
            List<List<Node>> chains = List.copyOf(notify.waits().values());
            for (int i = 0; i < chains.size(); i++) {
                for (List<Node> others : chains.subList(0, i)) {
                    firstUnordered(others, chains.get(i)).ifPresent(pairs::add);
                }
            }
        }
        return pairs;
    }

    private Optional<Pair> firstUnordered(List<Node> some, List<Node> others) {
        for (Node node : some) {
            int before = countBefore(others, node);
            if (before < others.size() && !reach.isBefore(node, others.get(before))) {
                return Optional.of(new Pair(node, others.get(before)));
            }
        }
        return Optional.empty();
    }

    private long countAfter(Notify notify, Node post) {
        long count = 0;
        for (List<Node> chain : notify.posts().values()) {
            int first = Prefix.end(countBefore(chain, post), chain.size(), i -> !reach.isBefore(post, chain.get(i)));
            count += chain.size() - first;
        }
        return count;
    }

    /** A post with the one that came before it in this run, or else after it. */
    private static Pair pair(List<Node> posts, int i) {
        return i > 0 ? new Pair(posts.get(i - 1), posts.get(i)) : new Pair(posts.get(i), posts.get(i + 1));
    }

    private static long sequenceOf(Node post) {
        return ((LoggedEvent.NotifyPost) Objects.requireNonNull(post.event)).sequence();
    }
}
