package org.rankunit.golden.pattern;

import java.util.Optional;
import java.util.function.IntPredicate;
import org.rankunit.golden.compare.Comparison;

/**
 * The right data in the wrong place, shifted by the same distance everywhere.
 *
 * @param by the actual element at index i was expected at index i + by
 * @param wraps whether elements shifted out at one end must come in at the other end; if not, the elements there may be
 *     anything
 */
record ShiftedIndex(Comparison comparison, Mismatches mismatches, int by, boolean wraps) implements MismatchPattern {

    /** How many distances are tried; in repetitive data every distance is a candidate. */
    private static final int TRIED = 64;

    /** Find the shortest distance that fits, starting from a mismatch in the middle, which stays inside the array longest. */
    static Optional<ShiftedIndex> in(Comparison comparison, Samples samples, Mismatches mismatches) {
        int start = samples.middle();
        IntPredicate candidates = comparison.candidatesFor(start);
        int tried = 0;
        for (int distance = 1; distance < comparison.expected().count() && tried < TRIED; distance++) {
            for (int by = distance; by >= -distance; by -= 2 * distance) {
                ShiftedIndex shift = new ShiftedIndex(comparison, mismatches, by, false);
                if (shift.isInside(start + (long) by) && candidates.test(start + by)) {
                    tried++;
                    if (shift.leavesMostInside(samples) && samples.fit(shift)) {
                        return Optional.of(shift);
                    }
                }
            }
        }
        return Optional.empty();
    }

    /** The same shift, but elements shifted out at one end come in at the other. */
    ShiftedIndex wrapping() {
        return new ShiftedIndex(comparison, mismatches, by, true);
    }

    private boolean leavesMostInside(Samples samples) {
        return 3 * samples.count(index -> isInside(index + (long) by)) >= 2 * samples.size();
    }

    private boolean isInside(long index) {
        return index >= 0 && index < comparison.expected().count();
    }

    @Override
    public boolean explains(int index) {
        long source = index + (long) by;
        if (isInside(source)) {
            return comparison.isExplainedBy(comparison.expected(), (int) source, index);
        }
        int count = comparison.expected().count();
        return !wraps || comparison.isExplainedBy(comparison.expected(), Math.floorMod(source, count), index);
    }

    @Override
    public String toString() {
        String index = "i " + (by > 0 ? "+ " + by : "- " + -by);
        int count = comparison.expected().count();
        boolean firstIsInside = isInside(mismatches.first() + (long) by);
        boolean lastIsInside = isInside(mismatches.last() + (long) by);
        if (firstIsInside && lastIsInside) {
            return "every differing element is what was expected at index " + index;
        } else if (wraps) {
            return "every differing element is what was expected at index (" + index + ") mod " + count;
        }
        String which = lastIsInside ? " from [" + -by + "] on" : " up to [" + (count - 1 - by) + "]";
        return "every differing element" + which + " is what was expected at index " + index;
    }
}
