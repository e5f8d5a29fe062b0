package org.rankunit.golden;

import java.util.ArrayList;
import java.util.List;
import org.rankunit.Values;
import org.rankunit.golden.compare.Comparison;
import org.rankunit.golden.compare.Extremes;
import org.rankunit.golden.compare.Tolerance;

/** Summarize comparisons. */
final class Summaries {

    private Summaries() {}

    /** Compare every element. A passing test runs only this part, so it must be fast. */
    static GoldenSummary of(String name, Comparison comparison) {
        Extremes extremes = new Extremes();
        int mismatches = comparison.measure(extremes);
        Values expected = comparison.expected();
        return new GoldenSummary(
                name,
                expected.type(),
                expected.count(),
                mismatches,
                extremes.absolute(),
                extremes.absoluteIndex(),
                extremes.relative(),
                extremes.relativeIndex(),
                comparison.tolerance().rtol(),
                comparison.tolerance().atol(),
                samples(comparison, mismatches));
    }

    /** If nothing could be compared, every element counts as a mismatch, and an empty golden counts as one. */
    static GoldenSummary ofNothingCompared(String name, Values expected, Tolerance tolerance) {
        int count = expected.count();
        return new GoldenSummary(
                name,
                expected.type(),
                count,
                Math.max(1, count),
                0,
                -1,
                0,
                -1,
                tolerance.rtol(),
                tolerance.atol(),
                List.of());
    }

    /** The first elements that differ; costs nothing if none does. */
    private static List<GoldenSample> samples(Comparison comparison, int mismatches) {
        int wanted = Math.min(mismatches, GoldenSummary.MAX_SAMPLES);
        List<GoldenSample> samples = new ArrayList<>(wanted);
        Values expected = comparison.expected();
        for (int i = 0; samples.size() < wanted; i++) {
            if (comparison.differs(i)) {
                double difference = expected.type().isFloating()
                        ? comparison.difference(i)
                        : Extremes.unsignedToDouble(comparison.distance(i));
                samples.add(new GoldenSample(
                        i, expected.format(i), comparison.actual().format(i), difference));
            }
        }
        return samples;
    }
}
