package org.rankunit.golden.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.Values;

/** Statistics against decimal arithmetic of 80 digits, with random elements of all magnitudes. */
@Tag("unit")
class ErrorSumsTest {

    private static final MathContext DIGITS = new MathContext(80);
    private static final double CLOSE = 1e-14;

    private static ErrorSums sumsOf(double[] expected, double[] actual) {
        return ErrorSums.of(Values.float64(expected), Values.float64(actual), SmallValues.none());
    }

    private static BigDecimal product(double[] some, double[] others) {
        BigDecimal sum = BigDecimal.ZERO;
        for (int i = 0; i < some.length; i++) {
            sum = sum.add(new BigDecimal(some[i]).multiply(new BigDecimal(others[i])));
        }
        return sum;
    }

    private static double cosineOf(double[] expected, double[] actual) {
        BigDecimal lengths = product(expected, expected)
                .multiply(product(actual, actual), DIGITS)
                .sqrt(DIGITS);
        return product(expected, actual).divide(lengths, DIGITS).doubleValue();
    }

    private static double rmseOf(double[] expected, double[] actual) {
        BigDecimal squares = BigDecimal.ZERO;
        for (int i = 0; i < expected.length; i++) {
            // An error is a number of the type, too, unless it is too large for one.
            double error = actual[i] - expected[i];
            BigDecimal exact = Double.isInfinite(error)
                    ? new BigDecimal(actual[i]).subtract(new BigDecimal(expected[i]))
                    : new BigDecimal(error);
            squares = squares.add(exact.multiply(exact));
        }
        return squares.divide(BigDecimal.valueOf(expected.length), DIGITS)
                .sqrt(DIGITS)
                .doubleValue();
    }

    /** Of one magnitude, or of many. */
    private static double[] randomArray(Random random, int count) {
        int exponent = random.nextInt(2040) - 1020;
        int spread = random.nextBoolean() ? 4 : 2040;
        return random.ints(count, 0, spread)
                .mapToDouble(power -> Math.scalb(
                        random.nextDouble() * 2 - 1, Math.max(-1070, Math.min(1023, exponent + power - spread / 2))))
                .toArray();
    }

    private static double[] similar(Random random, double[] expected) {
        double error = Math.scalb(1.0, -random.nextInt(53));
        return Arrays.stream(expected)
                .map(value -> random.nextInt(4) == 0 ? -value : value * (1 - error * random.nextDouble()))
                .toArray();
    }

    @Test
    void cosineAndMeanSquareOfRandomArrays() {
        Random random = new Random(16);
        int far = 0;
        for (int round = 0; round < 3_000; round++) {
            double[] expected = randomArray(random, 1 + random.nextInt(40));
            double[] actual = random.nextBoolean() ? similar(random, expected) : randomArray(random, expected.length);
            if (Arrays.stream(expected).allMatch(value -> value == 0)
                    || Arrays.stream(actual).allMatch(value -> value == 0)) {
                continue;
            }
            ErrorSums sums = sumsOf(expected, actual);
            double cosine = cosineOf(expected, actual);
            assertThat(sums.of(Statistic.COSINE)).as("round %d", round).isEqualTo(cosine, within(CLOSE));
            double rmse = rmseOf(expected, actual);
            assertThat(sums.of(Statistic.RMSE))
                    .as("round %d", round)
                    .isCloseTo(rmse, within(Math.max(Double.MIN_VALUE, rmse * CLOSE)));
            far += cosine < 0.99 ? 1 : 0;
        }
        assertThat(far).isGreaterThan(500);
    }

    @Test
    void anArrayHasNoAngleToItself() {
        Random random = new Random(17);
        for (int round = 0; round < 3_000; round++) {
            double[] array = randomArray(random, 1 + random.nextInt(40));
            assertThat(sumsOf(array, array).of(Statistic.COSINE)).isEqualTo(1);
        }
    }

    @Test
    void arraysOfZeros() {
        double[] zeros = {0, -0.0};
        double[] smallest = {0, Double.MIN_VALUE};
        assertThat(sumsOf(zeros, zeros).of(Statistic.COSINE)).isEqualTo(1);
        assertThat(sumsOf(zeros, smallest).of(Statistic.COSINE)).isZero();
        assertThat(sumsOf(smallest, zeros).of(Statistic.COSINE)).isZero();
        assertThat(sumsOf(smallest, smallest).of(Statistic.COSINE)).isEqualTo(1);
    }

    /** Two finite numbers may be further apart than the largest one. */
    @Test
    void differencesTooLargeForANumber() {
        double[] expected = {Double.MAX_VALUE, 1};
        double[] actual = {-Double.MAX_VALUE, 1};
        ErrorSums sums = sumsOf(expected, actual);
        assertThat(sums.of(Statistic.COSINE)).isEqualTo(-1);
        assertThat(sums.of(Statistic.MARE)).isEqualTo(2);
        assertThat(sums.of(Statistic.MERE)).isEqualTo(1);
        assertThat(sums.of(Statistic.BIAS)).isEqualTo(1);
        assertThat(sums.of(Statistic.RMSE)).isEqualTo(Double.POSITIVE_INFINITY);
        assertThat(sumsOf(new double[] {Double.MAX_VALUE, 0, 0, 0, 0}, new double[] {-Double.MAX_VALUE, 0, 0, 0, 0})
                        .of(Statistic.RMSE))
                .isEqualTo(2 / Math.sqrt(5) * Double.MAX_VALUE, within(1e294));
    }
}
