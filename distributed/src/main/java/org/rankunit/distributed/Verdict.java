package org.rankunit.distributed;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apiguardian.api.API;
import org.rankunit.DType;
import org.rankunit.Values;

/**
 * Whether every part of a tensor holds what it should.
 *
 * <pre>{@code
 * Verdict verdict = Verdict.of("ring_allreduce_tcm", tensor, 36, 1e-1);
 * System.out.println(verdict.line());
 * verdict.requireAllOk();
 * }</pre>
 *
 * @param failures the members whose parts are wrong, in their order
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public record Verdict(String algorithm, int worldSize, List<Failure> failures) {

    private static final int IN_LINES = 5;

    public Verdict {
        failures = List.copyOf(failures);
    }

    /**
     * A wrong part.
     *
     * @param mean of its elements
     * @param wrong elements that are not within the tolerance
     * @since 0.1
     */
    @API(status = EXPERIMENTAL, since = "0.1")
    public record Failure(int rank, double mean, double expected, int wrong) {

        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT, "rank %d: mean %s, expected %s, %d elements wrong", rank, mean, expected, wrong);
        }
    }

    /**
     * Look at all elements.
     *
     * @param tensor of a floating or an integer type
     * @param expected every element
     * @param tolerance the largest difference that counts as equal, relative to what is expected; 0 for exact results
     */
    public static Verdict of(String algorithm, GroupTensor tensor, double expected, double tolerance) {
        Values whole = tensor.read();
        int part = tensor.partCount();
        int worldSize = part == 0 ? 0 : whole.count() / part;
        List<Failure> failures = new ArrayList<>();
        for (int rank = 0; rank < worldSize; rank++) {
            double sum = 0;
            int wrong = 0;
            for (int i = rank * part; i < (rank + 1) * part; i++) {
                double element = elementAt(whole, i);
                sum += element;
                // A NaN is never near enough.
                wrong += Math.abs(element - expected) <= tolerance * Math.abs(expected) ? 0 : 1;
            }
            if (wrong > 0) {
                failures.add(new Failure(rank, sum / part, expected, wrong));
            }
        }
        return new Verdict(algorithm, worldSize, failures);
    }

    private static double elementAt(Values values, int index) {
        DType type = values.type();
        return type.isFloating() ? values.doubleAt(index) : values.longAt(index);
    }

    /** Describe the result in a line, and the first wrong parts in a line each: {@code "ring (ws=8): 8 OK / 0 FAIL"}. */
    public String line() {
        StringBuilder text = new StringBuilder(algorithm + " (ws=" + worldSize + "): " + (worldSize - failures.size())
                + " OK / " + failures.size() + " FAIL");
        failures.stream().limit(IN_LINES).forEach(each -> text.append("\n  ").append(each));
        return text.toString();
    }

    /**
     * Fail unless all parts are right.
     *
     * @throws AssertionError with all parts that are wrong
     */
    public void requireAllOk() {
        if (!failures.isEmpty()) {
            StringBuilder text = new StringBuilder(line().lines().findFirst().orElse(""));
            failures.forEach(each -> text.append("\n  ").append(each));
            throw new AssertionError(text.toString());
        }
    }
}
