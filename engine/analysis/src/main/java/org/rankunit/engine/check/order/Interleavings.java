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

/**
 * All orders in which signals that set a cell, and others that add to it, may come before a wait. Where other waits for the cell
 * end before this one begins, each of them has seen what it waited for.
 */
final class Interleavings {

    /** With more of them, the wait is taken to go on without further signals. */
    private static final int MAX_STATES = 20_000;

    private final List<List<Signal>> chains = new ArrayList<>();
    private final int[] certain;
    private final int initial;
    private final Condition condition;
    private final Reach reach;

    /** For each signal of each chain, what happens before it. */
    private final List<List<Needs>> needs = new ArrayList<>();

    /** The waits that end before, in their order. */
    private final List<Earlier> earlier = new ArrayList<>();

    private record Earlier(Condition condition, Needs needs) {}

    /** How many signals of each chain, and how many of the earlier waits. */
    private record Needs(List<Integer> signals, int waits) {

        boolean areMetBy(State state) {
            for (int chain = 0; chain < signals.size(); chain++) {
                if (state.done().get(chain) < signals.get(chain)) {
                    return false;
                }
            }
            return state.passed() >= waits;
        }
    }

    /** How many signals of each chain have come, the value of the cell, and how many of the earlier waits have ended. */
    private record State(List<Integer> done, int value, int passed) {}

    /** @param before waits that end before, each before the next one */
    Interleavings(List<Part> parts, int initial, Condition condition, List<Node> before, Reach reach) {
        parts.forEach(part -> chains.add(part.all()));
        this.certain =
                parts.stream().mapToInt(part -> part.certain() - part.from()).toArray();
        this.initial = initial;
        this.condition = condition;
        this.reach = reach;
        for (List<Signal> chain : chains) {
            needs.add(
                    chain.stream().map(signal -> needsOf(signal.node(), before)).toList());
        }
        for (Node wait : before) {
            earlier.add(new Earlier(Condition.of(wait), needsOf(wait, List.of())));
        }
    }

    private Needs needsOf(Node node, List<Node> waits) {
        List<Integer> signals = chains.stream()
                .map(chain -> (int) chain.stream()
                        .takeWhile(signal -> reach.isBefore(signal.node(), node))
                        .count())
                .toList();
        return new Needs(signals, (int)
                waits.stream().takeWhile(wait -> reach.isBefore(wait, node)).count());
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
            if (isComplete(state) && hasPassed(state) && !condition.holds(state.value())) {
                return true;
            }
            if (!addNext(state, seen, open)) {
                return false;
            }
        }
        return false;
    }

    private State begin() {
        return passing(new State(chains.stream().map(chain -> 0).toList(), initial, 0));
    }

    private State after(State state, int chain) {
        int next = state.done().get(chain);
        List<Integer> done = new ArrayList<>(state.done());
        done.set(chain, next + 1);
        int value = chains.get(chain).get(next).appliedTo(state.value());
        return passing(new State(done, value, state.passed()));
    }

    /** Ends all waits that can; one that ends later allows nothing more. */
    private State passing(State state) {
        State passing = state;
        while (passing.passed() < earlier.size()
                && earlier.get(passing.passed()).needs().areMetBy(passing)
                && earlier.get(passing.passed()).condition().holds(passing.value())) {
            passing = new State(passing.done(), passing.value(), passing.passed() + 1);
        }
        return passing;
    }

    private boolean hasPassed(State state) {
        return state.passed() == earlier.size();
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
            if (next < chains.get(chain).size() && needs.get(chain).get(next).areMetBy(state)) {
                State after = after(state, chain);
                if (seen.add(after)) {
                    open.push(after);
                }
            }
        }
        return seen.size() <= MAX_STATES;
    }

    private boolean hasAllCertain(State state) {
        if (!hasPassed(state)) {
            return false;
        }
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
