package org.rankunit.engine.check.order;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.rankunit.device.Comparison;
import org.rankunit.engine.check.order.Epoch.Signal;
import org.rankunit.engine.timeline.order.Node;

/**
 * A wait for a cell, among the signals that may come before it in some run: all but those that happen after it.
 *
 * <p>A wait orders what its condition needed. Each set of signals that satisfies the condition is one way for the wait to go
 * on; what happened before the wait is what happened before it on every way.
 */
final class CellWait {

    private final Condition condition;
    private final Reach reach;
    private final List<Part> parts = new ArrayList<>();

    /** The value that the signals which remain are applied to. */
    private int initial;

    /** Whether other signals than those before the wait set the cell, or several of those did. */
    private boolean hasSets;

    private boolean hasDecreases;
    private boolean hasIncreases;

    /**
     * The signals of one chain that matter.
     *
     * @param signals in their order; those that later ones before the wait have made ineffective are left out
     * @param certain how many of them happen before the wait, from the first one on
     */
    record Part(List<Signal> signals, int certain) {

        List<Signal> before() {
            return signals.subList(0, certain);
        }

        List<Signal> possible() {
            return signals.subList(certain, signals.size());
        }
    }

    CellWait(Epoch epoch, Condition condition, Node wait, Reach reach) {
        this.condition = condition;
        this.reach = reach;
        this.initial = epoch.initial();
        List<Part> all = new ArrayList<>();
        for (List<Signal> chain : epoch.chains()) {
            int certain = count(chain, signal -> reach.isBefore(signal.node(), wait));
            int possible = count(chain, signal -> !reach.isBefore(wait, signal.node()));
            all.add(new Part(chain.subList(0, Math.max(certain, possible)), certain));
        }
        keepEffective(all);
        for (Part part : parts) {
            for (Signal signal : part.signals()) {
                hasSets |= !signal.add();
                hasDecreases |= signal.add() && signal.value() < 0;
                hasIncreases |= signal.add() && signal.value() >= 0;
            }
        }
    }

    /** How many signals satisfy a condition that holds from the first one up to one of them. */
    private static int count(List<Signal> chain, Predicate<Signal> holds) {
        int low = 0;
        int high = chain.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (holds.test(chain.get(middle))) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Leave out what a signal that sets the cell has made ineffective, if both happen before the wait. */
    private void keepEffective(List<Part> all) {
        List<Signal> sets = new ArrayList<>();
        for (Part part : all) {
            for (int i = part.certain() - 1; i >= 0; i--) {
                if (!part.signals().get(i).add()) {
                    sets.add(part.signals().get(i));
                    break;
                }
            }
        }
        for (Part part : all) {
            int ineffective = count(
                    part.before(), signal -> sets.stream().anyMatch(set -> reach.isBefore(signal.node(), set.node())));
            parts.add(
                    new Part(part.signals().subList(ineffective, part.signals().size()), part.certain() - ineffective));
        }
        takeBase();
    }

    /** A signal that sets the cell before all others that matter gives the value that they are applied to. */
    private void takeBase() {
        for (int i = 0; i < parts.size(); i++) {
            Part part = parts.get(i);
            if (part.certain() > 0 && !part.signals().get(0).add()) {
                Signal base = part.signals().get(0);
                boolean isFirst = parts.stream()
                        .filter(other -> !other.signals().isEmpty())
                        .map(other -> other.signals().get(0))
                        .allMatch(first -> first.equals(base) || reach.isBefore(base.node(), first.node()));
                if (isFirst) {
                    initial = base.value();
                    parts.set(
                            i, new Part(part.signals().subList(1, part.signals().size()), part.certain() - 1));
                    return;
                }
            }
        }
    }

    /** What happens before the wait since it waits: a clock, or {@code null} if it may go on without any further signal. */
    int @Nullable [] learned() {
        if (parts.stream().allMatch(part -> part.possible().isEmpty())) {
            return null;
        } else if (!hasIncreases && !hasDecreases) {
            return learnedFromSets();
        } else if (!hasSets && !hasDecreases && isReachedByIncreasing()) {
            return learnedFromIncreases();
        }
        return new Interleavings(parts, initial, condition, reach).learned();
    }

    /** Whether the cell can have another value for ever once all signals have come. */
    boolean mayMiss() {
        if (!hasSets) {
            long sum = initial;
            for (Part part : parts) {
                sum += sum(part.signals());
            }
            return !condition.holds((int) sum);
        } else if (!hasIncreases && !hasDecreases) {
            return lastOf(parts.stream().map(Part::signals).toList()).stream()
                    .anyMatch(last -> !condition.holds(last.value()));
        }
        return new Interleavings(parts, initial, condition, reach).mayMiss();
    }

    /** The last signals of chains after which no other one happens. */
    private List<Signal> lastOf(List<List<Signal>> chains) {
        List<Signal> last = new ArrayList<>();
        for (List<Signal> chain : chains) {
            if (!chain.isEmpty()) {
                last.add(chain.get(chain.size() - 1));
            }
        }
        return last.stream()
                .filter(signal -> last.stream().noneMatch(other -> reach.isBefore(signal.node(), other.node())))
                .toList();
    }

    private int @Nullable [] learnedFromSets() {
        List<Signal> before = lastOf(parts.stream().map(Part::before).toList());
        boolean isSatisfied = before.isEmpty()
                ? condition.holds(initial)
                : before.stream().anyMatch(last -> condition.holds(last.value()));
        if (isSatisfied) {
            return null;
        }
        int[] common = null;
        for (Part part : parts) {
            for (Signal signal : part.possible()) {
                if (condition.holds(signal.value())) {
                    common = common(common, reach.clockAfter(signal.node()));
                    break;
                }
            }
        }
        return common;
    }

    /** What two ways have in common. */
    static int[] common(int @Nullable [] one, int[] other) {
        if (one == null) {
            return other;
        }
        int[] common = new int[Math.min(one.length, other.length)];
        for (int chain = 0; chain < common.length; chain++) {
            common[chain] = Math.min(one[chain], other[chain]);
        }
        return common;
    }

    /** Whether a counter that grows satisfies the condition from some value on, or passes through it. */
    private boolean isReachedByIncreasing() {
        return switch (condition.comparison()) {
            case GE, GT -> true;
            case EQ -> haveEqualValues();
            case NE, LT, LE -> false;
        };
    }

    private boolean haveEqualValues() {
        long[] values = parts.stream()
                .flatMap(part -> part.signals().stream())
                .mapToLong(Signal::value)
                .distinct()
                .toArray();
        return values.length == 1 && values[0] > 0 && ((long) condition.value() - initial) % values[0] == 0;
    }

    private int @Nullable [] learnedFromIncreases() {
        long least = condition.comparison() == Comparison.GT ? condition.value() + 1L : condition.value();
        long missing = least - initial;
        for (Part part : parts) {
            missing -= sum(part.before());
        }
        if (missing <= 0) {
            return null;
        }
        List<Signal> needed = new ArrayList<>();
        for (Part part : parts) {
            long sum = 0;
            for (Signal signal : part.possible()) {
                if (sum >= missing) {
                    break; // the chain itself satisfies the wait before it comes to this one
                }
                needed.add(signal);
                sum += signal.value();
            }
        }
        return new Threshold(needed, reach).reaching(missing);
    }

    private static long sum(List<Signal> signals) {
        return signals.stream().mapToLong(Signal::value).sum();
    }
}
