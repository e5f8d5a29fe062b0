package org.rankunit.golden.mismatch;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.Arrays;
import java.util.function.DoubleBinaryOperator;
import java.util.function.IntPredicate;
import org.apiguardian.api.API;
import org.rankunit.compare.ArrayScan;
import org.rankunit.golden.compare.Comparison;

/** A few of the differing elements, spread over all of them: enough to tell which patterns are worth a closer look. */
@API(status = INTERNAL, since = "0.1")
public final class Samples {

    private static final int MAX = ArrayScan.MAX_SAMPLES;

    private final int[] indices = new int[MAX];
    private int size;
    private int seen;
    /** A power of two. */
    private int every = 1;

    /** The samples that native code has kept in the same manner. */
    static Samples of(ArrayScan.Spread spread, int seen) {
        Samples samples = new Samples();
        samples.size = spread.samples().length;
        System.arraycopy(spread.samples(), 0, samples.indices, 0, samples.size);
        samples.every = spread.sampleEvery();
        samples.seen = seen;
        return samples;
    }

    /** Offer the next differing element; every n-th one offered is kept, and n doubles when there is no space left. */
    void offer(int index) {
        if (isKept(seen) && size == MAX) {
            for (int n = 0; n < MAX / 2; n++) {
                indices[n] = indices[2 * n];
            }
            size = MAX / 2;
            every *= 2;
        }
        if (isKept(seen)) {
            indices[size++] = index;
        }
        seen++;
    }

    private boolean isKept(int n) {
        return (n & (every - 1)) == 0;
    }

    public int size() {
        return size;
    }

    public int[] indices() {
        return Arrays.copyOf(indices, size);
    }

    /** Get the last sample at or before the n-th element offered. */
    int before(int n) {
        return indices[n / every];
    }

    /** Count the elements offered after {@link #before(int)}, up to and including the n-th. */
    int after(int n) {
        return n % every;
    }

    public int middle() {
        return indices[size / 2];
    }

    /** Sum this function of the expected and the actual number over all samples where both are finite. */
    public double sum(Comparison comparison, DoubleBinaryOperator ofExpectedAndActual) {
        double sum = 0;
        for (int n = 0; n < size; n++) {
            double expected = comparison.expected().doubleAt(indices[n]);
            double actual = comparison.actual().doubleAt(indices[n]);
            if (Double.isFinite(expected) && Double.isFinite(actual)) {
                sum += ofExpectedAndActual.applyAsDouble(expected, actual);
            }
        }
        return sum;
    }

    public int count(IntPredicate condition) {
        return (int) Arrays.stream(indices, 0, size).filter(condition).count();
    }

    public boolean all(IntPredicate condition) {
        return Arrays.stream(indices, 0, size).allMatch(condition);
    }
}
