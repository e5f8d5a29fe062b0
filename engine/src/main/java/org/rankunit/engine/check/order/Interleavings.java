package org.rankunit.engine.check.order;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.check.order.CellWait.Part;
import org.rankunit.engine.check.order.Epoch.Signal;
import org.rankunit.engine.timeline.order.Node;

/** All orders in which signals that set a cell, and others that add to it, may come before a wait. */
final class Interleavings {

    /** With more of them, the wait is taken to go on without further signals. */
    private static final int MOST_STATES = 20_000;

    private final List<List<Signal>> chains = new ArrayList<>();
    private final int[] certain;
    private final int initial;
    private final Condition condition;
    private final Reach reach;

    /** For each signal of each chain, how many signals of each chain happen before it. */
    private final List<List<int[]>> needs = new ArrayList<>();

    /** How many signals of each chain have come, and the value of the cell. */
    private record State(List<Integer> done, int value) {

        State after(int chain, Signal signal) {
            List<Integer> next = new ArrayList<>(done);
            next.set(chain, next.get(chain) + 1);
            return new State(next, signal.appliedTo(value));
        }
    }

    Interleavings(List<Part> parts, int initial, Condition condition, Reach reach) {
        parts.forEach(part -> chains.add(part.all()));
        this.certain =
                parts.stream().mapToInt(part -> part.certain() - part.from()).toArray();
        this.initial = initial;
        this.condition = condition;
        this.reach = reach;
        for (List<Signal> chain : chains) {
            needs.add(chain.stream().map(signal -> needsOf(signal.node())).toList());
        }
    }

    private int[] needsOf(Node node) {
        return chains.stream()
                .mapToInt(chain -> (int) chain.stream()
                        .takeWhile(earlier -> reach.isBefore(earlier.node(), node))
                        .count())
                .toArray();
    }

    /** What all ways to satisfy the condition have in common; {@code null} if one needs no signal that is not certain. */
    @Nullable Clock learned() {
        Clock common = null;
        Set<State> seen = new HashSet<>();
        Deque<State> open = new ArrayDeque<>(List.of(begin()));
        while (!open.isEmpty()) {
            State state = open.pop();
            if (hasAllCertain(state) && condition.holds(state.value())) {
                Clock way = clockOf(state);
                if (way == null) {
                    return null;
                }
                common = CellWait.common(common, way);
            } else if (!addNext(state, seen, open)) {
                return null;
            }
        }
        return common;
    }

    /** Whether the cell does not satisfy the condition after all signals in some order of them. */
    boolean mayMiss() {
        Set<State> seen = new HashSet<>();
        Deque<State> open = new ArrayDeque<>(List.of(begin()));
        while (!open.isEmpty()) {
            State state = open.pop();
            if (isComplete(state) && !condition.holds(state.value())) {
                return true;
            }
            if (!addNext(state, seen, open)) {
                return false;
            }
        }
        return false;
    }

    private State begin() {
        return new State(chains.stream().map(chain -> 0).toList(), initial);
    }

    private boolean isComplete(State state) {
        for (int chain = 0; chain < chains.size(); chain++) {
            if (state.done().get(chain) < chains.get(chain).size()) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether there are few enough. */
    private boolean addNext(State state, Set<State> seen, Deque<State> open) {
        for (int chain = 0; chain < chains.size(); chain++) {
            int next = state.done().get(chain);
            if (next < chains.get(chain).size()
                    && hasWhatItNeeds(state, needs.get(chain).get(next))) {
                State after = state.after(chain, chains.get(chain).get(next));
                if (seen.add(after)) {
                    open.push(after);
                }
            }
        }
        return seen.size() <= MOST_STATES;
    }

    private static boolean hasWhatItNeeds(State state, int[] needs) {
        for (int chain = 0; chain < needs.length; chain++) {
            if (state.done().get(chain) < needs[chain]) {
                return false;
            }
        }
        return true;
    }

    private boolean hasAllCertain(State state) {
        for (int chain = 0; chain < certain.length; chain++) {
            if (state.done().get(chain) < certain[chain]) {
                return false;
            }
        }
        return true;
    }

    /** The clock of a wait that goes on in a state; {@code null} if only certain signals have come. */
    private @Nullable Clock clockOf(State state) {
        Clock clock = null;
        for (int chain = 0; chain < certain.length; chain++) {
            int done = state.done().get(chain);
            if (done > certain[chain]) {
                Clock of = reach.clockAfter(chains.get(chain).get(done - 1).node());
                clock = clock == null ? of : clock.joined(of, Clock.Memory.unlimited());
            }
        }
        return clock;
    }
}
