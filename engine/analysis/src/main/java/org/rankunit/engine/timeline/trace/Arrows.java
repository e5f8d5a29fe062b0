package org.rankunit.engine.timeline.trace;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Finds what let what go on, across all ranks: from a post to the wait that took it, from a signal to a wait that saw it. */
final class Arrows {

    /** One arrow. */
    record Arrow(String category, End from, End to) {}

    /** Where an arrow begins or ends: a time within a slice. */
    record End(Slice slice, long nanos) {}

    private record Post(long token, long sequence) {}

    private record Signal(long order, End end) {}

    private record Sight(int rank, Object cell, long order, End end) {}

    private final Map<Post, End> posts = new HashMap<>();
    private final Map<Post, End> takes = new HashMap<>();
    private final Map<Object, List<Signal>> signals = new HashMap<>();
    private final List<Sight> sights = new ArrayList<>();
    private final List<Arrow> arrows = new ArrayList<>();

    void post(long token, long sequence, End end) {
        posts.put(new Post(token, sequence), end);
    }

    void take(long token, long sequence, End end) {
        takes.put(new Post(token, sequence), end);
    }

    /** @param cell identifies the cell among all ranks */
    void signal(Object cell, long order, End end) {
        signals.computeIfAbsent(cell, c -> new ArrayList<>()).add(new Signal(order, end));
    }

    /** A wait on this rank has seen the signals to the cell up to this order. */
    void sight(int rank, Object cell, long order, End end) {
        sights.add(new Sight(rank, cell, order, end));
    }

    void add(String category, End from, End to) {
        arrows.add(new Arrow(category, from, to));
    }

    /** Find all arrows between slices that are shown. */
    List<Arrow> all() {
        List<Arrow> all = new ArrayList<>(arrows);
        takes.forEach((post, to) -> {
            End from = posts.get(post);
            if (from != null) {
                all.add(new Arrow("notify", from, to));
            }
        });
        addSignals(all);
        all.removeIf(
                arrow -> !arrow.from().slice().isShown() || !arrow.to().slice().isShown());
        all.sort(Comparator.comparingLong(arrow -> arrow.from().nanos()));
        return all;
    }

    /** A rank that waits for a cell again has seen the earlier signals before; only the new ones let it go on. */
    private void addSignals(List<Arrow> all) {
        record Seen(int rank, Object cell) {}
        Map<Seen, Long> before = new HashMap<>();
        sights.sort(Comparator.comparingLong(Sight::order));
        for (Sight sight : sights) {
            Seen seen = new Seen(sight.rank(), sight.cell());
            long last = before.getOrDefault(seen, 0L);
            before.put(seen, sight.order());
            for (Signal signal : signals.getOrDefault(sight.cell(), List.of())) {
                if (signal.order() > last && signal.order() <= sight.order()) {
                    all.add(new Arrow("signal", signal.end(), sight.end()));
                }
            }
        }
    }
}
