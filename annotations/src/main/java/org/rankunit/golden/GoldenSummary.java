package org.rankunit.golden;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;
import static org.apiguardian.api.API.Status.INTERNAL;

import java.io.Serializable;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.rankunit.DType;

/**
 * Describe what one {@link Golden#verify} compared, and how far the output was from its golden.
 *
 * <p>The largest differences are taken over all elements, including those within the tolerance, so that a passing test
 * shows its margin. An element with NaN on either side has no difference; an infinity where another value was expected
 * differs by infinity. A relative difference is {@code |actual - expected| / |expected|}; there is none if the expected
 * element is 0 or infinite.
 *
 * <p>If the type or count differed, or if there was nothing to compare, no element was compared: {@code mismatches} is
 * then {@code count}, but at least 1, and both indices are -1.
 *
 * @param name the name given to the golden
 * @param type type of the expected elements
 * @param count number of expected elements
 * @param mismatches number of elements outside the tolerance
 * @param allowed how many may be
 * @param nonFinite how many of them have NaN or an infinity on either side; none may
 * @param bitDifferences number of elements whose bits differ, within the tolerance or not
 * @param maxAbsolute largest difference, in the unit of the elements; may be infinite, never NaN
 * @param maxAbsoluteIndex its index, the first if there are several; -1 if no element has a nonzero difference
 * @param maxRelative largest relative difference, a ratio; may be infinite, never NaN
 * @param maxRelativeIndex its index, the first if there are several; -1 if there is none
 * @param rtol relative part of the tolerance; 0 for integers and booleans
 * @param atol absolute part of the tolerance; 0 for integers and booleans
 * @param criterion name of the {@link Criterion}
 * @param statistics what the criterion asks of the output as a whole; empty if it looks at elements only
 * @param samples the first elements outside the tolerance, at most {@value #MAX_SAMPLES}; empty if no element was compared
 * @param errors how the errors are distributed, if the output failed and its elements are numbers; else null
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public record GoldenSummary(
        String name,
        DType type,
        int count,
        int mismatches,
        int allowed,
        int nonFinite,
        int bitDifferences,
        double maxAbsolute,
        int maxAbsoluteIndex,
        double maxRelative,
        int maxRelativeIndex,
        double rtol,
        double atol,
        String criterion,
        List<GoldenStatistic> statistics,
        List<GoldenSample> samples,
        @Nullable GoldenErrors errors)
        implements Serializable {

    private static final String NOT_VERIFIED = "not verified";
    private static final String UPDATED = "updated, not verified";

    /** Maximum number of samples of one comparison. */
    public static final int MAX_SAMPLES = 5;

    /** @throws IllegalArgumentException if there are more than {@value #MAX_SAMPLES} samples */
    public GoldenSummary {
        statistics = List.copyOf(statistics);
        samples = List.copyOf(samples);
        if (samples.size() > MAX_SAMPLES) {
            throw new IllegalArgumentException(samples.size() + " samples: at most " + MAX_SAMPLES + " are kept.");
        }
    }

    /** Copy this summary with other indices of elements. */
    GoldenSummary at(IntUnaryOperator index) {
        return new GoldenSummary(
                name,
                type,
                count,
                mismatches,
                allowed,
                nonFinite,
                bitDifferences,
                maxAbsolute,
                maxAbsoluteIndex < 0 ? maxAbsoluteIndex : index.applyAsInt(maxAbsoluteIndex),
                maxRelative,
                maxRelativeIndex < 0 ? maxRelativeIndex : index.applyAsInt(maxRelativeIndex),
                rtol,
                atol,
                criterion,
                statistics,
                samples.stream().map(sample -> sample.at(index)).toList(),
                errors);
    }

    /** Copy this summary under another name. */
    @API(status = INTERNAL, since = "0.1")
    public GoldenSummary named(String other) {
        return new GoldenSummary(
                other,
                type,
                count,
                mismatches,
                allowed,
                nonFinite,
                bitDifferences,
                maxAbsolute,
                maxAbsoluteIndex,
                maxRelative,
                maxRelativeIndex,
                rtol,
                atol,
                criterion,
                statistics,
                samples,
                errors);
    }

    /** Summarize a comparison that was skipped; its criterion is {@code not verified}. */
    @API(status = INTERNAL, since = "0.1")
    public static GoldenSummary notVerified(String name, DType type, int count) {
        return uncompared(name, type, count, NOT_VERIFIED);
    }

    /** Summarize an output that is written in place of its golden; its criterion is {@code updated, not verified}. */
    @API(status = INTERNAL, since = "0.1")
    public static GoldenSummary updated(String name, DType type, int count) {
        return uncompared(name, type, count, UPDATED);
    }

    private static GoldenSummary uncompared(String name, DType type, int count, String criterion) {
        return new GoldenSummary(
                name, type, count, 0, 0, 0, 0, 0, -1, 0, -1, 0, 0, criterion, List.of(), List.of(), null);
    }

    /** Tell whether the output was compared at all: with {@code rankunit.golden=skip} and {@code update} it was not. */
    public boolean verified() {
        return !isSkipped() && !criterion.equals(UPDATED);
    }

    /** Tell whether the comparison was skipped. */
    @API(status = INTERNAL, since = "0.1")
    public boolean isSkipped() {
        return criterion.equals(NOT_VERIFIED);
    }

    /** Tell whether the output was compared and satisfies its criterion. */
    public boolean passed() {
        return verified()
                && mismatches <= allowed
                && nonFinite == 0
                && statistics.stream().allMatch(GoldenStatistic::met);
    }
}
