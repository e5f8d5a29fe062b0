package org.rankunit.engine.check.order;

import static java.util.Comparator.comparingLong;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.rankunit.engine.timeline.LoggedEvent;
import org.rankunit.engine.timeline.order.Node;

/** The signals of a cell between two changes of it by something else, each chain of them in its order. */
final class Epoch {

    private final int initial;
    private final List<SignalChain> chains;

    /** A signal of the cell. */
    record Signal(Node node, boolean add, int value) {

        int appliedTo(int cell) {
            return add ? cell + value : value;
        }
    }

    /**
     * Signals.
     *
     * @param initial the value of the cell before all of them
     */
    Epoch(int initial, List<Node> nodes, Reach reach) {
        this.initial = initial;
        List<Signal> signals = nodes.stream()
                .map(node -> {
                    LoggedEvent.Signal signal = signalOf(node);
                    return new Signal(node, signal.add(), signal.value());
                })
                .sorted(comparingLong(signal -> signalOf(signal.node()).order()))
                .toList();
        Map<Integer, List<Signal>> byChain = new TreeMap<>();
        signals.forEach(signal -> byChain.computeIfAbsent(reach.chainOf(signal.node()), chain -> new ArrayList<>())
                .add(signal));
        this.chains = byChain.values().stream().map(SignalChain::new).toList();
    }

    private static LoggedEvent.Signal signalOf(Node node) {
        return (LoggedEvent.Signal) Objects.requireNonNull(node.event);
    }

    int initial() {
        return initial;
    }

    List<SignalChain> chains() {
        return chains;
    }
}
