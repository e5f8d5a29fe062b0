package org.rankunit.engine.check;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.rankunit.device.Comparison;
import org.rankunit.engine.timeline.LoggedEvent;
import org.rankunit.engine.timeline.TestRange.Place;
import org.rankunit.engine.timeline.order.EventGraph;
import org.rankunit.engine.timeline.order.Node;

/**
 * Finds waits that the signal of an earlier round satisfies: a rank waits again for what it has waited for before, the cell still
 * has its value from then, and the signal that was meant is needed by no wait at all.
 *
 * <p>Two waits for one signal are no mistake. They are one if there are as many signals of the kind as waits of the kind.
 */
final class StaleSignals {

    private static final int CELL_BYTES = 4;

    private final Map<Place, Cell> cells = new LinkedHashMap<>();

    /** Signals and waits of a cell in the order in which they happened to it. */
    private static final class Cell {

        final NavigableMap<Long, Node> signals = new TreeMap<>();
        final List<Node> waits = new ArrayList<>();

        /** The value before the first signal: what a wait found, less what was added before. Else memory is zero. */
        int initial() {
            for (Node node : waits) {
                Collection<Node> before =
                        signals.headMap(waitOf(node).order(), true).values();
                if (before.stream().allMatch(each -> signalOf(each).add())) {
                    return waitOf(node).found()
                            - before.stream()
                                    .mapToInt(each -> signalOf(each).value())
                                    .sum();
                }
            }
            return 0;
        }

        /** The value after the signals up to this order. */
        int valueAfter(long order) {
            int value = 0;
            for (Node node : signals.headMap(order, true).descendingMap().values()) {
                value += signalOf(node).value();
                if (!signalOf(node).add()) {
                    return value;
                }
            }
            return initial() + value;
        }
    }

    /** Waits that cannot be told from each other: those of a rank for the same. */
    private record Wanted(int rank, int compare, int value) {}

    /** Signals that cannot be told from each other. */
    private record Given(int rank, boolean add, int value) {}

    private record Stale(Node waited, Node again, Node signal, Node unneeded) {}

    private StaleSignals(EventGraph graph, List<Access> accesses) {
        for (Node node : graph.nodes()) {
            if (node.event instanceof LoggedEvent.Signal signal) {
                cell(graph, node, signal.cell()).signals.put(signal.order(), node);
            } else if (node.event instanceof LoggedEvent.Wait wait) {
                cell(graph, node, wait.cell()).waits.add(node);
            }
        }
        // What else changes a cell has no place in the order of its signals.
        cells.keySet()
                .removeIf(cell -> accesses.stream()
                        .anyMatch(access -> access.how() == Access.How.WRITE
                                && access.place().space().equals(cell.space())
                                && access.offset() < cell.offset() + CELL_BYTES
                                && cell.offset() < access.offset() + access.bytes()));
    }

    private Cell cell(EventGraph graph, Node node, long address) {
        Place place = graph.range(node.rank)
                .placeOf(node.rank, address, Objects.requireNonNull(node.event).at());
        return cells.computeIfAbsent(place, each -> new Cell());
    }

    static List<String> among(EventGraph graph, List<Access> accesses, Names names, MemoryNames memory) {
        List<String> found = new ArrayList<>();
        new StaleSignals(graph, accesses)
                .cells.forEach((place, cell) -> in(cell).stream()
                        // the others of a loop say no more
                        .limit(1)
                        .map(stale -> text(stale, place, names, memory))
                        .forEach(found::add));
        return found;
    }

    private static List<Stale> in(Cell cell) {
        List<Stale> found = new ArrayList<>();
        Map<Wanted, List<Node>> alike = cell.waits.stream()
                .collect(Collectors.groupingBy(StaleSignals::wanted, LinkedHashMap::new, Collectors.toList()));
        for (List<Node> waits : alike.values()) {
            waits.sort((a, b) -> Long.compare(waitOf(a).order(), waitOf(b).order()));
            for (int i = 1; i < waits.size(); i++) {
                addIfStale(cell, waits, waits.get(i - 1), waits.get(i), found);
            }
        }
        return found;
    }

    private static void addIfStale(Cell cell, List<Node> alike, Node wait, Node again, List<Stale> found) {
        Optional<Long> first = satisfiedFrom(cell, waitOf(wait), waitOf(again).order());
        if (first.isEmpty()) {
            return;
        }
        Node signal = Objects.requireNonNull(cell.signals.get(first.get()));
        Given given = given(signal);
        long count = cell.signals.values().stream()
                .filter(each -> given(each).equals(given))
                .count();
        if (count != alike.size()) {
            return;
        }
        cell.signals.tailMap(first.get(), false).values().stream()
                .filter(each -> given(each).equals(given))
                .findFirst()
                .filter(next -> !isNeeded(cell, signalOf(next).order()))
                .filter(next -> EventGraph.happensBefore(wait, again) || EventGraph.happensBefore(again, wait))
                .ifPresent(next -> found.add(new Stale(wait, again, signal, next)));
    }

    /**
     * The signal from which on a wait could pass, until the signal that the wait after it has seen. Empty if the value changed
     * meanwhile, or was right from the start.
     */
    private static Optional<Long> satisfiedFrom(Cell cell, LoggedEvent.Wait wait, long until) {
        Long first = null;
        for (long order : cell.signals.headMap(until, true).descendingKeySet()) {
            if (isSatisfied(wait, cell.valueAfter(order))) {
                first = order;
            } else {
                return first == null || first > wait.order() ? Optional.empty() : Optional.of(first);
            }
        }
        return first == null || first > wait.order() || isSatisfied(wait, cell.initial())
                ? Optional.empty()
                : Optional.of(first);
    }

    /** Whether a wait that saw this signal would not have been satisfied by the value before it. */
    private static boolean isNeeded(Cell cell, long order) {
        int before = cell.valueAfter(order - 1);
        return cell.waits.stream()
                .map(StaleSignals::waitOf)
                .anyMatch(wait -> wait.order() >= order && !isSatisfied(wait, before));
    }

    private static boolean isSatisfied(LoggedEvent.Wait wait, int value) {
        return switch (comparisonOf(wait)) {
            case EQ -> value == wait.value();
            case NE -> value != wait.value();
            case GT -> value > wait.value();
            case GE -> value >= wait.value();
            case LT -> value < wait.value();
            case LE -> value <= wait.value();
        };
    }

    private static Comparison comparisonOf(LoggedEvent.Wait wait) {
        return Arrays.stream(Comparison.values())
                .filter(comparison -> comparison.number() == wait.compare())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("there is no comparison " + wait.compare()));
    }

    private static String text(Stale stale, Place place, Names names, MemoryNames memory) {
        LoggedEvent.Wait wait = waitOf(stale.waited());
        String wanted = comparisonOf(wait) + " " + wait.value();
        return "stale signal: " + memory.of(place, CELL_BYTES, stale.again(), stale.signal())
                + " still had their value from the last round when they were waited for again, so that this wait does not"
                + " wait\n    waited for " + wanted + " by " + who(stale.waited(), names)
                + "\n    waited for " + wanted + " again by " + who(stale.again(), names)
                + "\n    " + text(stale.signal(), names)
                + "\n    " + text(stale.unneeded(), names) + ", which no wait needs"
                + "\n    Wait for the number of the round, or set the cell back between the rounds.";
    }

    private static String text(Node node, Names names) {
        LoggedEvent.Signal signal = signalOf(node);
        return (signal.add() ? "raised by " : "set to ") + signal.value() + " by " + who(node, names);
    }

    private static String who(Node node, Names names) {
        return names.who(node) + names.places().at(node);
    }

    private static Wanted wanted(Node node) {
        LoggedEvent.Wait wait = waitOf(node);
        return new Wanted(node.rank, wait.compare(), wait.value());
    }

    private static Given given(Node node) {
        LoggedEvent.Signal signal = signalOf(node);
        return new Given(node.rank, signal.add(), signal.value());
    }

    private static LoggedEvent.Wait waitOf(Node node) {
        return (LoggedEvent.Wait) Objects.requireNonNull(node.event);
    }

    private static LoggedEvent.Signal signalOf(Node node) {
        return (LoggedEvent.Signal) Objects.requireNonNull(node.event);
    }
}
