package org.rankunit.engine.check.order;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.timeline.LoggedEvent;
import org.rankunit.engine.timeline.TestRange.Place;
import org.rankunit.engine.timeline.order.EventGraph;
import org.rankunit.engine.timeline.order.Node;

/**
 * The signals of each cell, divided where something else has changed the cell: a copy that sets it back, for example. That
 * shows in the value that a signal or a wait has found. How such a change is ordered is for the check of races.
 */
final class CellHistory {

    private final EventGraph graph;
    private final Reach reach;
    private final Map<Place, Cell> cells = new HashMap<>();
    private final Map<Node, Epoch> epochs = new HashMap<>();

    /** The waits for the same cell that come before a wait on its chain, in the same epoch. */
    private final Map<Node, List<Node>> before = new HashMap<>();

    private record EpochOfChain(Epoch epoch, int chain) {}

    /** What happened to one cell. */
    private static final class Cell {

        final NavigableMap<Long, Node> signals = new TreeMap<>();
        final List<Node> waits = new ArrayList<>();

        /** By the order of their first signal. */
        final NavigableMap<Long, Epoch> epochs = new TreeMap<>();

        /** The value after each signal. */
        final NavigableMap<Long, Integer> values = new TreeMap<>();
    }

    CellHistory(EventGraph graph, Reach reach) {
        this.graph = graph;
        this.reach = reach;
        for (Node node : graph.nodes()) {
            if (node.event instanceof LoggedEvent.Signal signal) {
                cell(node, signal.cell()).signals.put(signal.order(), node);
            } else if (node.event instanceof LoggedEvent.Wait wait) {
                cell(node, wait.cell()).waits.add(node);
            }
        }
        cells.values().stream().filter(cell -> !cell.waits.isEmpty()).forEach(this::divide);
    }

    private Cell cell(Node node, long address) {
        Place place = graph.range(node.rank)
                .placeOf(node.rank, address, Objects.requireNonNull(node.event).at());
        return cells.computeIfAbsent(place, each -> new Cell());
    }

    private void divide(Cell cell) {
        List<Node> alike = new ArrayList<>();
        int initial = 0;
        int value = 0;
        long begin = 0;
        for (Map.Entry<Long, Node> entry : cell.signals.entrySet()) {
            LoggedEvent.Signal signal = signalOf(entry.getValue());
            if (alike.isEmpty() || signal.found() != value) {
                addEpoch(cell, begin, initial, alike);
                begin = entry.getKey();
                initial = signal.found();
            }
            alike.add(entry.getValue());
            value = signal.add() ? signal.found() + signal.value() : signal.value();
            cell.values.put(entry.getKey(), value);
        }
        addEpoch(cell, begin, initial, alike);
        Map<EpochOfChain, List<Node>> waits = new HashMap<>();
        cell.waits.sort(Comparator.comparingInt(reach::indexOf));
        for (Node wait : cell.waits) {
            Epoch epoch = epochOf(cell, waitOf(wait));
            epochs.put(wait, epoch);
            waits.computeIfAbsent(new EpochOfChain(epoch, reach.chainOf(wait)), each -> new ArrayList<>())
                    .add(wait);
        }
        for (List<Node> ofChain : waits.values()) {
            for (int i = 0; i < ofChain.size(); i++) {
                before.put(ofChain.get(i), ofChain.subList(0, i));
            }
        }
    }

    private void addEpoch(Cell cell, long begin, int initial, List<Node> signals) {
        if (!signals.isEmpty()) {
            cell.epochs.put(begin, new Epoch(initial, List.copyOf(signals), reach));
            signals.clear();
        }
    }

    private Epoch epochOf(Cell cell, LoggedEvent.Wait wait) {
        Map.Entry<Long, Integer> last = cell.values.floorEntry(wait.order());
        if (last != null && last.getValue() == wait.found()) {
            return Objects.requireNonNull(cell.epochs.floorEntry(wait.order())).getValue();
        }
        Map.Entry<Long, Epoch> next = cell.epochs.higherEntry(wait.order());
        return next != null && next.getValue().initial() == wait.found()
                ? next.getValue()
                : new Epoch(wait.found(), List.of(), reach);
    }

    /** What happens before a wait or a test since it had to be satisfied; {@code null} if it is no wait for a cell. */
    @Nullable Clock learnedBy(Node node) {
        return node.event instanceof LoggedEvent.Wait ? waitFor(node).learned() : null;
    }

    private CellWait waitFor(Node node) {
        return new CellWait(
                Objects.requireNonNull(epochs.get(node)), node, Objects.requireNonNull(before.get(node)), reach);
    }

    /** The waits that never end if the signals come in another order, or before a wait looks. */
    List<Node> missable() {
        List<Node> missable = new ArrayList<>();
        for (Cell cell : cells.values()) {
            for (Node node : cell.waits) {
                if (waitOf(node).look().waits() && mayMiss(node)) {
                    missable.add(node);
                }
            }
        }
        return missable;
    }

    boolean mayMiss(Node wait) {
        return waitFor(wait).mayMiss();
    }

    private static LoggedEvent.Signal signalOf(Node node) {
        return (LoggedEvent.Signal) Objects.requireNonNull(node.event);
    }

    private static LoggedEvent.Wait waitOf(Node node) {
        return (LoggedEvent.Wait) Objects.requireNonNull(node.event);
    }
}
