package org.rankunit.engine.check;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.rankunit.engine.check.order.Condition;
import org.rankunit.engine.check.order.ProgramOrder;
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

    /** A loop shows in its first rounds, and each one costs a search of the graph. */
    private static final int MAX_ROUNDS = 64;

    private final ProgramOrder order;
    private final Map<Place, Cell> cells = new LinkedHashMap<>();

    /** Signals and waits of a cell in the order in which they happened to it. */
    private static final class Cell {

        final NavigableMap<Long, Node> signals = new TreeMap<>();
        final List<Node> waits = new ArrayList<>();

        /** By the order of the signal after which the cell has the value. */
        private final NavigableMap<Long, Integer> values = new TreeMap<>();

        /** The value before the first signal: what a wait found, less what was added before. Else memory is zero. */
        private int initial;

        /** All signals and waits are known. */
        void complete() {
            waits.sort(Comparator.comparingLong(node -> waitOf(node).order()));
            LoggedEvent.Wait first = waitOf(waits.get(0));
            Collection<Node> before = signals.headMap(first.order(), true).values();
            if (before.stream().allMatch(node -> signalOf(node).add())) {
                initial = first.found()
                        - before.stream()
                                .mapToInt(node -> signalOf(node).value())
                                .sum();
            }
            int value = initial;
            for (Map.Entry<Long, Node> entry : signals.entrySet()) {
                LoggedEvent.Signal signal = signalOf(entry.getValue());
                value = signal.add() ? value + signal.value() : signal.value();
                values.put(entry.getKey(), value);
            }
        }

        /** The value after the signals up to this order. */
        int valueAfter(long order) {
            Map.Entry<Long, Integer> last = values.floorEntry(order);
            return last == null ? initial : last.getValue();
        }
    }

    /** Waits that cannot be told from each other: those of a rank for the same. A test before a wait is another thing. */
    private record Wanted(int rank, int compare, int value, LoggedEvent.Look look) {}

    /** Signals that cannot be told from each other. */
    private record Given(int rank, boolean add, int value) {}

    private record Stale(Node waited, Node again, Node signal, Node unneeded) {}

    private StaleSignals(EventGraph graph, ProgramOrder order) {
        this.order = order;
        for (Node node : graph.nodes()) {
            if (node.event instanceof LoggedEvent.Signal signal) {
                cell(graph, node, signal.cell()).signals.put(signal.order(), node);
            } else if (node.event instanceof LoggedEvent.Wait wait) {
                cell(graph, node, wait.cell()).waits.add(node);
            }
        }
    }

    private Cell cell(EventGraph graph, Node node, long address) {
        Place place = graph.range(node.rank)
                .placeOf(node.rank, address, Objects.requireNonNull(node.event).at());
        return cells.computeIfAbsent(place, each -> new Cell());
    }

    static List<String> among(
            EventGraph graph, ProgramOrder order, List<Access> accesses, Names names, MemoryNames memory) {
        List<String> found = new ArrayList<>();
        StaleSignals stales = new StaleSignals(graph, order);
        stales.cells.forEach((place, cell) -> stales.firstIn(cell)
                .filter(stale -> !isWritten(place, accesses))
                .map(stale -> text(stale, place, names, memory))
                .ifPresent(found::add));
        return found;
    }

    /** Whether something else than signals changes a cell, which has no place in their order. */
    private static boolean isWritten(Place cell, List<Access> accesses) {
        return accesses.stream()
                .anyMatch(access -> access.how() == Access.How.WRITE
                        && access.space().equals(cell.space())
                        && access.offset() < cell.offset() + CELL_BYTES
                        && cell.offset() < access.offset() + access.bytes());
    }

    /** The first one: the others of a loop say no more. */
    private Optional<Stale> firstIn(Cell cell) {
        if (cell.waits.size() < 2 || cell.signals.size() < 2) {
            return Optional.empty();
        }
        cell.complete();
        Map<Given, Long> signals = cell.signals.values().stream()
                .collect(Collectors.groupingBy(StaleSignals::given, Collectors.counting()));
        Map<Wanted, List<Node>> waits = cell.waits.stream()
                .collect(Collectors.groupingBy(StaleSignals::wanted, LinkedHashMap::new, Collectors.toList()));
        return waits.values().stream()
                .filter(alike -> alike.size() > 1 && signals.containsValue((long) alike.size()))
                .flatMap(alike -> pairs(cell, alike, signals))
                .findFirst();
    }

    private Stream<Stale> pairs(Cell cell, List<Node> alike, Map<Given, Long> signals) {
        return IntStream.range(1, Math.min(alike.size(), MAX_ROUNDS))
                .mapToObj(i -> stale(cell, alike.get(i - 1), alike.get(i), alike.size(), signals))
                .flatMap(Optional::stream);
    }

    private Optional<Stale> stale(Cell cell, Node wait, Node again, int waits, Map<Given, Long> signals) {
        Optional<Long> first = satisfiedFrom(cell, waitOf(wait), waitOf(again).order());
        if (first.isEmpty()) {
            return Optional.empty();
        }
        Node signal = Objects.requireNonNull(cell.signals.get(first.get()));
        Given given = given(signal);
        if (signals.getOrDefault(given, 0L) != waits) {
            return Optional.empty();
        }
        return cell.signals.tailMap(first.get(), false).values().stream()
                .filter(each -> given(each).equals(given))
                .findFirst()
                .filter(next -> !isNeeded(cell, signalOf(next).order()))
                .filter(next -> order.isBefore(wait, again) || order.isBefore(again, wait))
                .map(next -> new Stale(wait, again, signal, next));
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
        return first == null || first > wait.order() || isSatisfied(wait, cell.initial)
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
        return Condition.of(wait).holds(value);
    }

    private static String text(Stale stale, Place place, Names names, MemoryNames memory) {
        LoggedEvent.Wait wait = waitOf(stale.waited());
        String wanted = Condition.of(wait).toString();
        return "stale signal: " + memory.of(place, CELL_BYTES, stale.again(), stale.signal())
                + " still had their value from the last round when they were waited for again, so this wait does not"
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
        return new Wanted(node.rank, wait.compare(), wait.value(), wait.look());
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
