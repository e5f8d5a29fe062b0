package org.rankunit.golden;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rankunit.Values;
import org.rankunit.golden.compare.Bound;
import org.rankunit.golden.compare.Closeness;
import org.rankunit.golden.compare.Comparison;
import org.rankunit.golden.compare.Criteria;
import org.rankunit.golden.compare.Extremes;
import org.rankunit.golden.compare.Measurements;
import org.rankunit.golden.compare.Numbers;

/** Summarize comparisons. */
final class Summaries {

    private Summaries() {}

    /** Summarize what a comparison measured. */
    static GoldenSummary of(String name, Comparison comparison, Measurements found, @Nullable GoldenErrors errors) {
        Extremes extremes = found.extremes();
        Values expected = comparison.expected();
        Criteria criteria = comparison.criteria();
        return new GoldenSummary(
                name,
                expected.type(),
                expected.count(),
                found.mismatches(),
                criteria.allowedMismatches(expected.count()),
                found.nonFinite(),
                found.bitDifferences(),
                extremes.absolute(),
                extremes.absoluteIndex(),
                extremes.relative(),
                extremes.relativeIndex(),
                criteria.tolerance().rtol(),
                criteria.tolerance().atol(),
                criteria.name(),
                statistics(criteria, found),
                samples(comparison, found.mismatches()),
                errors);
    }

    private static List<GoldenStatistic> statistics(Criteria criteria, Measurements found) {
        List<GoldenStatistic> statistics = new ArrayList<>();
        for (Bound bound : found.bounds()) {
            double value = found.value(bound);
            statistics.add(new GoldenStatistic(
                    bound.statistic().toString(),
                    value,
                    bound.relation() + " " + Numbers.exact(bound.limit()),
                    bound.holds(value)));
        }
        Closeness limit = criteria.limit();
        if (limit != null) {
            statistics.add(new GoldenStatistic(
                    "elements that differ by more than " + limit.text(),
                    found.beyondLimit(),
                    "0",
                    found.beyondLimit() == 0));
        }
        return statistics;
    }

    /** If nothing could be compared, every element counts as a mismatch, and an empty golden counts as one. */
    static GoldenSummary ofNothingCompared(String name, Values expected, Criteria criteria) {
        int count = expected.count();
        return new GoldenSummary(
                name,
                expected.type(),
                count,
                Math.max(1, count),
                0,
                0,
                0,
                0,
                -1,
                0,
                -1,
                criteria.tolerance().rtol(),
                criteria.tolerance().atol(),
                criteria.name(),
                List.of(),
                List.of(),
                null);
    }

    /** The first elements that differ; costs nothing if none does. */
    private static List<GoldenSample> samples(Comparison comparison, int mismatches) {
        int wanted = Math.min(mismatches, GoldenSummary.MAX_SAMPLES);
        List<GoldenSample> samples = new ArrayList<>(wanted);
        Values expected = comparison.expected();
        if (wanted > 0) {
            comparison.forEachDifference(0, i -> {
                double difference = expected.type().isFloating()
                        ? comparison.difference(i)
                        : Extremes.unsignedToDouble(comparison.distance(i));
                samples.add(new GoldenSample(
                        i, expected.format(i), comparison.actual().format(i), difference));
                return samples.size() < wanted;
            });
        }
        return samples;
    }
}
