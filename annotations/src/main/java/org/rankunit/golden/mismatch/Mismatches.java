package org.rankunit.golden.mismatch;

import static org.apiguardian.api.API.Status.INTERNAL;

import org.apiguardian.api.API;
import org.rankunit.Values;
import org.rankunit.compare.ArrayScan;
import org.rankunit.golden.compare.Comparison;
import org.rankunit.golden.compare.Extremes;
import org.rankunit.golden.compare.Ulps;

/** Collect the elements that differ and how they are spread. Created only if at least one differs. */
@API(status = INTERNAL, since = "0.1")
public final class Mismatches {

    /** How many of the first mismatches are shown one by one. */
    public static final int FIRST = 5;

    private static final int LISTED = 100;

    private final Comparison comparison;
    private final double smallestNormal;
    private final int[] listed = new int[LISTED];
    private final Extremes worst = new Extremes();
    private Samples samples = new Samples();
    private int count;
    private int runs;
    private int first = -1;
    private int last = -1;
    private int runStart;
    private int runLength;
    private int period;
    private boolean periodic = true;
    private boolean sameActual = true;
    private int flushed;

    private Mismatches(Comparison comparison) {
        this.comparison = comparison;
        this.smallestNormal = Ulps.smallestNormal(comparison.expected().type());
    }

    public static Mismatches in(Comparison comparison) {
        Mismatches mismatches = new Mismatches(comparison);
        comparison
                .scanned()
                .ifPresentOrElse(
                        mismatches::take,
                        () -> comparison.forEachDifference(0, index -> {
                            mismatches.add(index);
                            return true;
                        }));
        return mismatches;
    }

    /** Take what native code has found. */
    private void take(ArrayScan.Result found) {
        ArrayScan.Spread spread = found.spread();
        comparison.forEachDifference(0, index -> {
            listed[count++] = index;
            return count < LISTED;
        });
        count = found.mismatches();
        first = spread.first();
        last = spread.last();
        runs = spread.runs();
        runStart = spread.runStart();
        runLength = spread.runLength();
        period = spread.period();
        periodic = spread.periodic();
        sameActual = spread.sameActual();
        flushed = spread.flushed();
        samples = Samples.of(spread, count);
        ArrayScan.Largest largest = spread.largest();
        boolean floating = comparison.expected().type().isFloating();
        worst.set(floating ? largest : new ArrayScan.Largest(largest.absolute(), largest.absoluteIndex(), 0, -1));
    }

    private void add(int index) {
        if (count == 0) {
            first = index;
        } else {
            sameActual = sameActual && sameActualAs(first, index);
        }
        if (count == 0 || index != last + 1) {
            startRun(index);
        }
        samples.offer(index);
        if (count < LISTED) {
            listed[count] = index;
        }
        last = index;
        count++;
        measure(index);
    }

    private void startRun(int index) {
        if (runs == 1) {
            runLength = last + 1 - runStart;
            period = index - runStart;
        } else if (runs > 1) {
            periodic &= last + 1 - runStart == runLength && index - runStart == period;
        }
        runStart = index;
        runs++;
    }

    private void measure(int index) {
        Values expected = comparison.expected();
        if (expected.type().isFloating()) {
            double magnitude = Math.abs(expected.doubleAt(index));
            worst.add(index, comparison.difference(index), magnitude);
            flushed += magnitude > 0
                            && magnitude < smallestNormal
                            && comparison.actual().doubleAt(index) == 0
                    ? 1
                    : 0;
        } else {
            worst.addExact(index, comparison.distance(index), 0);
        }
    }

    private boolean sameActualAs(int one, int other) {
        Values actual = comparison.actual();
        return actual.type().isFloating()
                ? Double.compare(actual.doubleAt(one), actual.doubleAt(other)) == 0
                : actual.longAt(one) == actual.longAt(other);
    }

    public int count() {
        return count;
    }

    public int first() {
        return first;
    }

    public int last() {
        return last;
    }

    /** Number of contiguous runs of mismatches. */
    public int runs() {
        return runs;
    }

    /** Distance between the starts of neighbouring runs if there are at least three, equally long and spaced; else 0. */
    public int period() {
        return periodic && runs >= 3 && lastRunFits() ? period : 0;
    }

    /** Number of elements in each run but the last, which the end of the array may cut short. */
    public int runLength() {
        return runLength;
    }

    /** Tell whether they are several rows of a tile of a matrix, and all of its elements, in a matrix of rows of this length. */
    boolean areATile(int row) {
        return runs > 1
                && periodic
                && period == row
                && (long) runs * runLength == count
                && first % row + runLength <= row;
    }

    private boolean lastRunFits() {
        int length = last + 1 - runStart;
        boolean isCut = last + 1 == comparison.expected().count();
        return length == runLength || (isCut && length < runLength);
    }

    /** Get the index of the n-th mismatch; n counts from 0 and is below {@link #count()}. */
    public int nth(int n) {
        int[] left = {samples.after(n)};
        int[] index = {samples.before(n)};
        comparison.forEachDifference(index[0], each -> {
            index[0] = each;
            return left[0]-- > 0;
        });
        return index[0];
    }

    /** A few of the mismatches, spread over all of them. */
    public Samples samples() {
        return samples;
    }

    /** Number of subnormal numbers for which 0 was found, as devices give that flush them. */
    public int flushed() {
        return flushed;
    }

    /** Tell whether several mismatches all have the same actual value. */
    public boolean haveOneActual() {
        return sameActual && count >= 2;
    }

    /** Index of the n-th mismatch; n is below {@link #FIRST} and {@link #count()}. */
    public int at(int n) {
        return listed[n];
    }

    /** The largest differences among the mismatches; elements within the tolerance do not count. */
    public Extremes worst() {
        return worst;
    }

    /** List the first differing elements of one side for an IDE, one per line, so that both sides line up. */
    public String listing(Values side) {
        StringBuilder text = new StringBuilder();
        int shown = Math.min(count, LISTED);
        for (int n = 0; n < shown; n++) {
            text.append(n == 0 ? "[" : "\n[").append(listed[n]).append("] ").append(side.format(listed[n]));
        }
        if (count > shown) {
            text.append("\n... and ").append(count - shown).append(" more");
        }
        return text.toString();
    }
}
