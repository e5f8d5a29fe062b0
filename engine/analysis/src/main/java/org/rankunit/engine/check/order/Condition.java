package org.rankunit.engine.check.order;

import java.util.Objects;
import org.rankunit.device.Comparison;
import org.rankunit.engine.timeline.LoggedEvent;
import org.rankunit.engine.timeline.order.Node;

/** What a wait demands of a cell. */
public record Condition(Comparison comparison, int value) {

    /** Of a wait, or of a test. */
    public static Condition of(LoggedEvent.Wait wait) {
        for (Comparison comparison : Comparison.values()) {
            if (comparison.number() == wait.compare()) {
                return new Condition(comparison, wait.value());
            }
        }
        throw new IllegalStateException("there is no comparison " + wait.compare());
    }

    /** Of the event of a node that is a wait or a test. */
    static Condition of(Node wait) {
        return of((LoggedEvent.Wait) Objects.requireNonNull(wait.event));
    }

    /** Whether a cell with this value satisfies it. */
    public boolean holds(int cell) {
        return switch (comparison) {
            case EQ -> cell == value;
            case NE -> cell != value;
            case GT -> cell > value;
            case GE -> cell >= value;
            case LT -> cell < value;
            case LE -> cell <= value;
        };
    }

    /** Whether it holds from some value on, or up to one. */
    public boolean isBound() {
        return comparison != Comparison.EQ && comparison != Comparison.NE;
    }

    /** Returns {@code "GE 3"}. */
    @Override
    public String toString() {
        return comparison + " " + value;
    }
}
