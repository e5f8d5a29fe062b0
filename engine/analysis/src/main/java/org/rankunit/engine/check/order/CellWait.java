package org.rankunit.engine.check.order;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
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

    /** What earlier waits have seen is looked at for so many signals and waits at most: it seldom matters, and costs much. */
    private static final int FEW = 16;

    private final Condition condition;
    private final Reach reach;
    private final List<Part> parts = new ArrayList<>();

    /** The last signals of each chain that set the cell and happen before the wait. */
    private final List<Signal> overriding = new ArrayList<>();

    /** Waits for the same cell that end before this one begins, after what sets the value that the signals are applied to. */
    private final List<Node> earlier;

    /** The value that the signals which remain are applied to. */
    private int initial;

    /**
     * The signals of one chain that matter.
     *
     * @param from the first one; earlier ones have no effect, since another one sets the cell before the wait
     * @param certain those before this index happen before the wait
     * @param to those from this index on happen after the wait
     */
    record Part(SignalChain chain, int from, int certain, int to) {

        List<Signal> before() {
            return chain.range(from, certain);
        }

        List<Signal> possible() {
            return chain.range(certain, to);
        }

        List<Signal> all() {
            return chain.range(from, to);
        }

        int adds() {
            return to - from - chain.sets(from, to);
        }
    }

    /** @param before waits for the same cell in the same epoch, each before the next one and before this one */
    CellWait(Epoch epoch, Node wait, List<Node> before, Reach reach) {
        this.condition = Condition.of(wait);
        this.reach = reach;
        this.initial = epoch.initial();
        List<Part> whole = new ArrayList<>();
        for (SignalChain chain : epoch.chains()) {
            int certain = count(chain, 0, chain.size(), signal -> reach.isBefore(signal.node(), wait));
            int to = count(
                    chain,
                    certain,
                    chain.size(),
                    signal -> !reach.isBefore(wait, signal.node()) && !reach.isExcluded(signal.node()));
            whole.add(new Part(chain, 0, certain, to));
        }
        keepEffective(whole);
        takeBase();
        this.earlier = before.stream()
                .skip(Math.max(0, before.size() - FEW))
                .filter(this::isAfterBase)
                .toList();
    }

    /** Whether what is left out had no effect any more when a wait has ended. */
    private boolean isAfterBase(Node wait) {
        return parts.stream().allMatch(part -> part.from() == 0)
                || overriding.stream().allMatch(set -> reach.isBefore(set.node(), wait));
    }

    /** The index up to which signals satisfy a condition that holds up to one of them, and not from there on. */
    private static int count(SignalChain chain, int from, int to, Predicate<Signal> holds) {
        return Prefix.end(from, to, i -> holds.test(chain.get(i)));
    }

    /** Leave out what a signal that sets the cell has made ineffective, if both happen before the wait. */
    private void keepEffective(List<Part> whole) {
        for (Part part : whole) {
            int last = part.chain().lastSetBefore(part.certain());
            if (last >= 0) {
                overriding.add(part.chain().get(last));
            }
        }
        for (Part part : whole) {
            int from = count(
                    part.chain(),
                    0,
                    part.certain(),
                    signal -> overriding.stream().anyMatch(set -> reach.isBefore(signal.node(), set.node())));
            parts.add(new Part(part.chain(), from, part.certain(), part.to()));
        }
    }

    /** A signal that sets the cell before all others that matter gives the value that they are applied to. */
    private void takeBase() {
        for (int i = 0; i < parts.size(); i++) {
            Part part = parts.get(i);
            if (part.certain() > part.from() && !part.before().get(0).add()) {
                Signal base = part.before().get(0);
                boolean isFirst = parts.stream()
                        .filter(other -> other.to() > other.from())
                        .map(other -> other.chain().get(other.from()))
                        .allMatch(first -> first.equals(base) || reach.isBefore(base.node(), first.node()));
                if (isFirst) {
                    initial = base.value();
                    parts.set(i, new Part(part.chain(), part.from() + 1, part.certain(), part.to()));
                    return;
                }
            }
        }
    }

    private boolean haveSets() {
        return parts.stream().anyMatch(part -> part.chain().sets(part.from(), part.to()) > 0);
    }

    private boolean haveAdds() {
        return parts.stream().anyMatch(part -> part.adds() > 0);
    }

    private boolean haveDecreases() {
        return parts.stream().anyMatch(part -> part.chain().decreases(part.from(), part.to()) > 0);
    }

    /** What happens before the wait since it waits: a clock, or {@code null} if it may go on without any further signal. */
    @Nullable Clock learned() {
        if (parts.stream().allMatch(part -> part.certain() == part.to())) {
            return null;
        }
        boolean onlyIncreases = !haveSets() && !haveDecreases() && isReachedByIncreasing();
        Clock learned = !haveAdds() ? learnedFromSets() : onlyIncreases ? learnedFromIncreases() : null;
        return learned == null && ((haveAdds() && !onlyIncreases) || mayBeDecidedByEarlier())
                ? interleavings().learned()
                : learned;
    }

    private boolean mayBeDecidedByEarlier() {
        return !earlier.isEmpty()
                && parts.stream().mapToInt(part -> part.to() - part.from()).sum() <= FEW;
    }

    private Interleavings interleavings() {
        return new Interleavings(parts, initial, condition, earlier, reach);
    }

    /** Whether the cell can have another value forever once all signals have come. */
    boolean mayMiss() {
        if (!haveSets()) {
            long sum = initial;
            for (Part part : parts) {
                sum += part.chain().sum(part.from(), part.to());
            }
            return !condition.holds((int) sum);
        } else if (!haveAdds()) {
            return lastOf(Part::all).stream().anyMatch(last -> !condition.holds(last.value()));
        }
        return interleavings().mayMiss();
    }

    /** The last signals of chains after which no other one happens. */
    private List<Signal> lastOf(Function<Part, List<Signal>> which) {
        List<Signal> last = new ArrayList<>();
        for (Part part : parts) {
            List<Signal> signals = which.apply(part);
            if (!signals.isEmpty()) {
                last.add(signals.get(signals.size() - 1));
            }
        }
        return last.stream()
                .filter(signal -> last.stream().noneMatch(other -> reach.isBefore(signal.node(), other.node())))
                .toList();
    }

    private @Nullable Clock learnedFromSets() {
        List<Signal> before = lastOf(Part::before);
        boolean isSatisfied = before.isEmpty()
                ? condition.holds(initial)
                : before.stream().anyMatch(last -> condition.holds(last.value()));
        if (isSatisfied) {
            return null;
        }
        Clock common = null;
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
    static Clock common(@Nullable Clock one, Clock other) {
        return one == null ? other : one.common(other);
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
                .filter(part -> part.to() > part.from())
                .mapToLong(part -> part.chain().get(part.from()).value())
                .distinct()
                .toArray();
        return values.length == 1
                && values[0] > 0
                && ((long) condition.value() - initial) % values[0] == 0
                && parts.stream().allMatch(part -> part.chain().haveEqualValues(part.from(), part.to()));
    }

    private @Nullable Clock learnedFromIncreases() {
        long least = condition.comparison() == Comparison.GT ? condition.value() + 1L : condition.value();
        long missing = least - initial;
        for (Part part : parts) {
            missing -= part.chain().sum(part.from(), part.certain());
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
        return Clock.reached(
                needed.stream().map(signal -> reach.clockAfter(signal.node())).toList(),
                needed.stream().mapToLong(Signal::value).toArray(),
                missing);
    }
}
