package org.rankunit.engine.check.order;

import java.util.List;
import org.rankunit.engine.check.order.Epoch.Signal;

/** Signals of a cell that happen one after the other, with what is known of each range of them at once. Immutable. */
final class SignalChain {

    private final List<Signal> signals;

    /** The values that the signals up to one of them add. */
    private final long[] sums;

    /** How many of the signals up to one of them set the cell, add less than 0, and have another value than the one before. */
    private final int[] sets;

    private final int[] decreases;
    private final int[] changes;

    /** The last signal up to one of them that sets the cell, or -1. */
    private final int[] lastSets;

    SignalChain(List<Signal> signals) {
        this.signals = List.copyOf(signals);
        int count = signals.size();
        this.sums = new long[count + 1];
        this.sets = new int[count + 1];
        this.decreases = new int[count + 1];
        this.changes = new int[count + 1];
        this.lastSets = new int[count + 1];
        lastSets[0] = -1;
        for (int i = 0; i < count; i++) {
            Signal signal = signals.get(i);
            sums[i + 1] = sums[i] + (signal.add() ? signal.value() : 0);
            sets[i + 1] = sets[i] + (signal.add() ? 0 : 1);
            decreases[i + 1] = decreases[i] + (signal.add() && signal.value() < 0 ? 1 : 0);
            changes[i + 1] =
                    changes[i] + (i > 0 && signal.value() != signals.get(i - 1).value() ? 1 : 0);
            lastSets[i + 1] = signal.add() ? lastSets[i] : i;
        }
    }

    int size() {
        return signals.size();
    }

    Signal get(int index) {
        return signals.get(index);
    }

    List<Signal> range(int from, int to) {
        return signals.subList(from, to);
    }

    /** What the signals of a range add that do not set the cell. */
    long sum(int from, int to) {
        return sums[to] - sums[from];
    }

    int sets(int from, int to) {
        return sets[to] - sets[from];
    }

    int decreases(int from, int to) {
        return decreases[to] - decreases[from];
    }

    /** Whether all signals of a range have the same value. */
    boolean haveEqualValues(int from, int to) {
        return to - from < 2 || changes[to] == changes[from + 1];
    }

    /** The index of the last signal before {@code to} that sets the cell, or -1. */
    int lastSetBefore(int to) {
        return lastSets[to];
    }
}
