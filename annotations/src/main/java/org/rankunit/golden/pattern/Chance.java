package org.rankunit.golden.pattern;

import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.rankunit.Values;
import org.rankunit.golden.compare.Comparison;
import org.rankunit.golden.mismatch.Samples;

/**
 * How likely a pattern explains as many elements by chance. Where elements have few values, as digits, masks and 8-bit types do, a few
 * wrong ones are almost always what some pattern says.
 */
final class Chance {

    /** A pattern that is less likely is no chance. */
    private static final double MAX = 1e-6;

    /** Kinds of patterns, and the ways in which each could be read. */
    private static final int KINDS = 16;

    private static final int POSITIONS = 64;

    private final int[] differing;
    private final int[] positions;

    /** How likely two elements are equal if all values between the smallest and the largest one are as likely. */
    private final double ofRange;

    Chance(Comparison comparison, Samples samples) {
        this.differing = samples.indices();
        int count = comparison.expected().count();
        this.positions = IntStream.range(0, Math.min(count, POSITIONS))
                .map(n -> (int) ((long) n * count / Math.min(count, POSITIONS)))
                .toArray();
        this.ofRange = oneOf(IntStream.concat(IntStream.of(positions), IntStream.of(differing))
                .mapToObj(index ->
                        new double[] {number(comparison.expected(), index), number(comparison.actual(), index)})
                .flatMapToDouble(DoubleStream::of)
                .filter(Double::isFinite)
                .toArray());
    }

    private static double number(Values values, int index) {
        return values.type().isFloating() ? values.doubleAt(index) : values.longAt(index);
    }

    /** One divided by the number of values from the smallest to the largest number, in steps of which all are multiples. */
    private static double oneOf(double[] numbers) {
        double largest = DoubleStream.of(numbers).max().orElse(0);
        double smallest = DoubleStream.of(numbers).min().orElse(0);
        double step = DoubleStream.of(numbers)
                .filter(number -> number != 0)
                .map(Chance::lastDigit)
                .min()
                .orElse(1);
        return 1 / ((largest / step - smallest / step) + 1);
    }

    /** The largest power of two of which a number is a multiple. */
    private static double lastDigit(double number) {
        long bits = Double.doubleToRawLongBits(number);
        int zeros = Math.min(Long.numberOfTrailingZeros(bits), 52);
        return Math.scalb(Math.ulp(number), zeros);
    }

    /**
     * Tell whether a pattern explains more than chance does: the number of patterns that could have been found, times how often
     * what the pattern says of one element explains another one, to the power of the explained elements.
     *
     * @param explained how many elements it explains
     */
    boolean isExceededBy(MismatchPattern pattern, int explained) {
        int hits = 0;
        int pairs = 0;
        for (int index : differing) {
            for (int of : IntStream.concat(IntStream.of(positions), IntStream.of(differing))
                    .toArray()) {
                if (of != index) {
                    hits += pattern.predicts(of, index) ? 1 : 0;
                    pairs++;
                }
            }
        }
        double each = Math.max(ofRange, pairs == 0 ? 0 : (double) hits / pairs);
        double tried = (double) KINDS * pattern.tried();
        return explained > pattern.fitted() && tried * Math.pow(each, explained - pattern.fitted()) < MAX;
    }
}
