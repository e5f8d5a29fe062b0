package org.rankunit.golden.pattern;

import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.rankunit.golden.compare.Comparison;
import org.rankunit.golden.mismatch.Mismatches;
import org.rankunit.golden.mismatch.Samples;

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

    /** Distances that native code rules out together: as many as it may, and if one of these is a candidate, fewer. */
    private static final int[] STRIDES = {1 << 20, 1 << 13};

    /** Find the shortest distance that fits, starting from a mismatch in the middle, which stays inside the array longest. */
    static Optional<ShiftedIndex> in(Comparison comparison, Samples samples, Mismatches mismatches) {
        int start = samples.middle();
        IntPredicate candidates = comparison.candidatesFor(start);
        int tried = 0;
        int count = comparison.expected().count();
        int distance = 1;
        while (distance < count && tried < TRIED) {
            int fruitless = fruitless(comparison, start, distance);
            if (fruitless == 0) {
                for (int by : new int[] {distance, -distance}) {
                    ShiftedIndex shift = new ShiftedIndex(comparison, mismatches, by, false);
                    if (shift.isInside(start + (long) by) && candidates.test(start + by)) {
                        tried++;
                        if (shift.leavesMostInside(samples) && shift.fits(samples)) {
                            return Optional.of(shift);
                        }
                    }
                }
            }
            distance = (int) Math.min((long) distance + Math.max(fruitless, 1), count);
        }
        return Optional.empty();
    }

    /** How many distances from this one on are no candidates, as far as native code can tell quickly. */
    private static int fruitless(Comparison comparison, int start, int distance) {
        for (int stride : STRIDES) {
            if (distance % stride == 0 && isFruitless(comparison, start, distance, stride)) {
                return stride;
            }
        }
        return 0;
    }

    /** Tell whether no distance of the stride from this one on is a candidate, on either side. */
    private static boolean isFruitless(Comparison comparison, int start, int distance, int stride) {
        int count = comparison.expected().count();
        int end = (int) Math.min((long) start + distance + stride, count);
        int begin = Math.max(start - distance - stride + 1, 0);
        return comparison.hasNoCandidates(start, (int) Math.min((long) start + distance, end), end)
                && comparison.hasNoCandidates(start, begin, Math.max(start - distance + 1, begin));
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
        return !speaksOf(index) || predicts(index, index);
    }

    @Override
    public boolean predicts(int of, int index) {
        return speaksOf(of) && comparison.isExplainedBy(comparison.expected(), source(of), index);
    }

    private int source(int index) {
        return Math.floorMod(index + (long) by, comparison.expected().count());
    }

    @Override
    public boolean speaksOf(int index) {
        return wraps || isInside(index + (long) by);
    }

    /** All shorter distances, in both directions, and the choice between a shift and a rotation. */
    @Override
    public int tried() {
        return 4 * Math.abs(by);
    }

    /** Tell whether it is right for the elements in between that do not differ, too. */
    boolean agreesWithTheRest() {
        return IntStream.rangeClosed(mismatches.first(), mismatches.last())
                .filter(this::speaksOf)
                .allMatch(index -> !comparison.differs(source(index), index) || predicts(index, index));
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
