package org.rankunit.golden;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.math.BigDecimal;
import java.util.List;
import org.apiguardian.api.API;
import org.rankunit.DType;
import org.rankunit.Values;
import org.rankunit.golden.compare.Bound;
import org.rankunit.golden.compare.Bound.Relation;
import org.rankunit.golden.compare.Closeness;
import org.rankunit.golden.compare.Criteria;
import org.rankunit.golden.compare.ErrorSums;
import org.rankunit.golden.compare.SmallValues;
import org.rankunit.golden.compare.Statistic;
import org.rankunit.golden.compare.Tolerance;

/**
 * Name the criterion by which an output is compared with its golden.
 *
 * <pre>{@code
 * Golden.of("output", expected).using(Criterion.doublePerMille()).verify(rank.buffer("output"));
 * Golden.of("moved", input).using(Criterion.exactBits()).verify(rank.buffer("moved"));
 * Golden.of("sum", total).using(Criterion.reduction(4096)).verify(rank.buffer("sum"));
 *
 *   sum: MERE is 0.00122, and must be below 9.765625E-4
 *     worst      [17]  expected 8.0  was 8.03  difference 0.03 = 4 ulp  (allowed 0.0625, relative 0.00375)
 *     MERE       0.00122, must be below 9.765625E-4: missed
 *     ...
 * }</pre>
 *
 * <p>Which one to choose; {@link #of(Operation)} gives the usual one for a kind of operation and every type:
 *
 * <table>
 *   <caption>Criteria by operation</caption>
 *   <tr><th>operation</th><th>criterion</th></tr>
 *   <tr><td>data is only moved: all-gather, broadcast, all-to-all, transpose</td><td>{@link #exactBits()}</td></tr>
 *   <tr><td>integers are computed</td><td>any; integers are compared exactly</td></tr>
 *   <tr><td>integers come from a quantization</td><td>{@link #quantized()}</td></tr>
 *   <tr><td>elements are computed one by one</td><td>{@link #close()}, the default, or {@link #doublePerMille()}</td></tr>
 *   <tr><td>sums of many terms: matrix products, all-reduce</td><td>{@link #reduction(int)}</td></tr>
 *   <tr><td>acceptance of an operator for Ascend</td><td>{@link #meanAndMaximumRelativeError()}, {@link #mixedTolerance()}, or
 *       {@link #level(Level, Values)}</td></tr>
 * </table>
 *
 * <p>All of them share these rules: type and count must be the same, and nothing is broadcast. An infinity equals only the
 * same infinity. NaN equals nothing unless {@link Golden#nanEqualsNan()} is set, and equals the same bits by
 * {@link #exactBits()}. {@code 0.0} equals {@code -0.0} except by {@link #exactBits()}. Subnormal numbers are numbers as any
 * other. A share of elements that may differ never includes one with NaN or an infinity on either side, and statistics are
 * taken over the elements that are finite on both sides.
 *
 * <p>Immutable; threads may share one.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class Criterion {

    /** The largest tolerance that {@link #reduction} gives a sum of few terms. */
    private static final int MANY_TERMS = 2048;

    private final String name;
    private final Source source;
    private final double share;

    private Criterion(String name, Source source, double share) {
        this.name = name;
        this.source = source;
        this.share = share;
    }

    /** Makes the criteria for a golden of this name. */
    private interface Source {
        Criteria of(String golden, Values expected);
    }

    private static Criterion of(String name, Source source) {
        return new Criterion(name, source, 0);
    }

    /** The levels of {@link #level}: how many times the error may be that of the other implementation. */
    public enum Level {
        /** Ordinary operators: MARE 10, MERE 2, RMSE 2. */
        L0(10, 2, 2),
        /** Important operators: MARE 5, MERE 1.5, RMSE 1.5. */
        L1(5, 1.5, 1.5),
        /** Critical operators: MARE 2, MERE 1.2, RMSE 1.2. */
        L2(2, 1.2, 1.2);

        private final double mare;
        private final double mere;
        private final double rmse;

        Level(double mare, double mere, double rmse) {
            this.mare = mare;
            this.mere = mere;
            this.rmse = rmse;
        }
    }

    /**
     * The usual criterion for outputs of an operation, by the type of their elements; {@link Operation} says which.
     *
     * @return a criterion; {@link Golden#using} throws an {@code IllegalArgumentException} for a type that the operation has none for
     */
    public static Criterion of(Operation operation) {
        return of(
                operation.name(),
                (golden, expected) -> operation.criterionFor(expected.type()).criteria(golden, expected));
    }

    /**
     * The same bits: for data that is only moved or converted, and for results that must be reproduced exactly.
     *
     * <p>Source: section 4.2 of the Ascend operator precision standard (hicann/opbase,
     * {@code docs/zh/ops_precision_standard/commercial_standard.md}).
     */
    public static Criterion exactBits() {
        return of("exact bits", (golden, expected) -> Criteria.of("exact bits", Tolerance.ofBits()));
    }

    /**
     * {@code |actual - expected| <= atol + rtol * |expected|} with the defaults of the type; this is what a {@link Golden} does
     * that names no criterion.
     *
     * <p>(rtol, atol): {@code FLOAT16} (1e-3, 1e-5), {@code BFLOAT16} (1.6e-2, 1e-5), {@code FLOAT32} (1.3e-6, 1e-5),
     * {@code FLOAT64} (1e-7, 1e-7). Integers and booleans are compared exactly, and so are floating types of 8 bits. Source: {@code torch.testing.assert_close} of
     * PyTorch.
     */
    public static Criterion close() {
        return of("allclose", (golden, expected) -> Criteria.of("allclose", Tolerance.defaultFor(expected.type())));
    }

    /**
     * {@code |actual - expected| <= atol + rtol * |expected|}, as {@link Golden#within}.
     *
     * @param rtol relative part, a ratio; 0 for none
     * @param atol absolute part, in the unit of the elements; 0 for none
     * @throws IllegalArgumentException if either is negative, infinite or NaN; {@link Golden#using} throws it if either is not 0 for
     *     integers and booleans
     */
    public static Criterion close(double rtol, double atol) {
        requireTolerance("rtol", rtol);
        requireTolerance("atol", atol);
        return of("allclose", (golden, expected) -> {
            DType type = expected.type();
            if (!type.isFloating() && (rtol != 0 || atol != 0)) {
                throw new IllegalArgumentException(golden + ": " + type + " is compared exactly, so within(" + rtol
                        + ", " + atol + ") cannot apply. Leave it out, or give 0, 0.");
            }
            return Criteria.of("allclose", new Tolerance(rtol, atol, false));
        });
    }

    /**
     * Relative and absolute bound, and the share of elements that may exceed it, all the same number: {@code FLOAT16} 1e-3,
     * {@code BFLOAT16} 4e-3, {@code FLOAT32} 1e-4, {@code FLOAT64} 1e-4. Integers and booleans are compared exactly; it says
     * nothing of types of 8 bits.
     *
     * <p>The share is rounded down, so that an output with fewer than 1,000 {@code FLOAT16} elements must match in all of them.
     * Source: the default of AscendOpTest, known as "double per mille" and "double per ten thousand".
     */
    public static Criterion doublePerMille() {
        return of("double per mille", (golden, expected) -> {
            double bound = switch (expected.type()) {
                case FLOAT16 -> 1e-3;
                case BFLOAT16 -> 4e-3;
                case FLOAT32, FLOAT64 -> 1e-4;
                default -> 0;
            };
            return Criteria.of("double per mille", new Tolerance(bound, bound, false))
                    .allowing(bound);
        });
    }

    /**
     * MERE, the mean relative error, is below a threshold, and MARE, the largest, below 10 times it: {@code FLOAT16} 2^-10,
     * {@code BFLOAT16} 2^-7, {@code FLOAT32} 2^-13, {@code FLOAT8_E4M3FN} 2^-3, {@code FLOAT8_E5M2} 2^-2. A relative error is {@code |actual - expected| / (|expected| + 1e-7)}.
     *
     * <p>The golden has to be computed in a higher precision. Source: hicann/opbase,
     * {@code docs/zh/ops_precision_standard/experimental_standard.md}.
     */
    public static Criterion meanAndMaximumRelativeError() {
        String name = "MERE and MARE";
        return of(name, (golden, expected) -> {
            double threshold = threshold(name, golden, expected.type());
            return Criteria.of(
                    name,
                    new Tolerance(10 * threshold, 10 * threshold * 1e-7, false),
                    List.of(
                            new Bound(Statistic.MERE, Relation.BELOW, threshold),
                            new Bound(Statistic.MARE, Relation.BELOW, 10 * threshold)));
        });
    }

    /**
     * At least 99 % of the elements are within rtol and atol, both {@code FLOAT16} 2^-10, {@code BFLOAT16} 2^-7, {@code FLOAT32}
     * 2^-13, and none is further off than 0.1 ({@code FLOAT32} 0.01) or 32 ulp, whichever is larger.
     *
     * <p>Source: hicann/opbase, {@code docs/zh/ops_precision_standard/mixed_tolerance_standard.md}.
     */
    public static Criterion mixedTolerance() {
        String name = "mixed tolerance";
        return of(name, (golden, expected) -> {
            DType type = expected.type();
            double bound = threshold(name, golden, type);
            return Criteria.of(name, new Tolerance(bound, bound, false))
                    .allowing(0.01)
                    .limitedTo(new Closeness.Steps(32, mostOf(type), type));
        });
    }

    private static double mostOf(DType type) {
        return switch (type) {
            case FLOAT32 -> 0.01;
            case FLOAT8_E4M3FN, FLOAT8_E5M2 -> 1;
            default -> 0.1;
        };
    }

    /**
     * The error is at most some multiple of the error of another implementation of the same operator, such as that of another
     * vendor's device or one on the CPU in the same precision: MARE, MERE and RMSE, each by {@link Level}. Expected elements near 0
     * ({@code FLOAT16} below 2^-11, {@code BFLOAT16} 2^-8, {@code FLOAT32} 2^-14) are left out of these; of those, the number
     * whose error exceeds 2^-16, 2^-16 and 2^-30 is at most twice that of the other implementation.
     *
     * <p>An element that is not finite is right if it equals the golden or the other implementation. The criterion also asks for
     * thousands of cases, each run 50 times or more, and for a statistical second look at those that fail: this compares one
     * output of one case. Source: section 4.5 of hicann/opbase, {@code docs/zh/ops_precision_standard/commercial_standard.md}.
     *
     * @param thirdParty the result of the other implementation, of the type and count of the golden, which has to be computed in
     *     a higher precision
     */
    public static Criterion level(Level level, Values thirdParty) {
        String name = "level " + level;
        return of(name, (golden, expected) -> {
            DType type = expected.type();
            threshold(name, golden, type);
            if (thirdParty.type() != type || thirdParty.count() != expected.count()) {
                throw new IllegalArgumentException(golden + ": the result to compare with is " + thirdParty.count()
                        + " x " + thirdParty.type() + ", and the golden " + expected.count() + " x " + type + ".");
            }
            SmallValues small = SmallValues.of(type);
            ErrorSums theirs = ErrorSums.of(expected, thirdParty, small);
            return Criteria.of(
                            name,
                            new Tolerance(new Closeness.AnyFinite(), false),
                            List.of(
                                    timesTheirs(Statistic.MARE, level.mare, theirs.largestRelative()),
                                    timesTheirs(Statistic.MERE, level.mere, theirs.meanRelative()),
                                    timesTheirs(Statistic.RMSE, level.rmse, theirs.rootMeanSquare()),
                                    new Bound(
                                            Statistic.SMALL_ERRORS,
                                            Relation.AT_MOST,
                                            2.0 * Math.max(1, theirs.smallErrors()))))
                    .beside(thirdParty, small);
        });
    }

    /** The criterion adds 1e-7 to what it divides by, which may be 0. */
    private static Bound timesTheirs(Statistic statistic, double times, double theirs) {
        return new Bound(statistic, Relation.AT_MOST, times * (theirs + 1e-7));
    }

    /**
     * Up to {@code ulps} steps from one number of the type to the next; integers may differ by as much.
     *
     * @throws IllegalArgumentException if {@code ulps} is negative; {@link Golden#using} throws it for booleans
     */
    public static Criterion ulps(int ulps) {
        if (ulps < 0) {
            throw new IllegalArgumentException("ulps(" + ulps + "): a number of steps is at least 0.");
        }
        String name = ulps + " ulp";
        return of(name, (golden, expected) -> steps(name, golden, expected.type(), ulps));
    }

    /**
     * Integers that come from a quantization: they may differ by 1.
     *
     * <p>Source: section 4.4 of hicann/opbase, {@code docs/zh/ops_precision_standard/commercial_standard.md}. {@link Golden#using}
     * throws an {@code IllegalArgumentException} for other types.
     */
    public static Criterion quantized() {
        String name = "quantized";
        return of(name, (golden, expected) -> {
            if (!expected.type().isInteger()) {
                throw new IllegalArgumentException(
                        golden + ": quantized() compares integers, and these are " + expected.type() + ".");
            }
            return steps(name, golden, expected.type(), 1);
        });
    }

    private static Criteria steps(String name, String golden, DType type, int steps) {
        if (type == DType.BOOL) {
            throw new IllegalArgumentException(golden + ": bool is compared exactly, so ulps() cannot apply.");
        }
        return Criteria.of(name, new Tolerance(new Closeness.Steps(steps, 0, type), false));
    }

    /**
     * Sums of many terms, as in matrix products and all-reduce: an error is measured against the larger of 1 and the expected
     * magnitude. It is at most {@code FLOAT16} 2^-8, {@code BFLOAT16} 2^-7, {@code FLOAT32} 2^-11, and twice that from 2,048 terms
     * on; the mean of all errors, with their signs, is at most 2^-10, 2^-7 and 2^-14.
     *
     * <p>Source: {@code examples/utils/verify_result.py} of hicann/shmem.
     *
     * @param terms how many products or ranks one element sums up
     * @throws IllegalArgumentException if {@code terms} is not positive; {@link Golden#using} throws it for integers, booleans and
     *     {@code FLOAT64}
     */
    public static Criterion reduction(int terms) {
        if (terms < 1) {
            throw new IllegalArgumentException("reduction(" + terms + "): a sum has at least 1 term.");
        }
        String name = "reduction of " + terms + (terms == 1 ? " term" : " terms");
        return of(name, (golden, expected) -> {
            DType type = expected.type();
            if (type != DType.FLOAT16 && type != DType.BFLOAT16 && type != DType.FLOAT32) {
                throw unknown(name, golden, type);
            }
            double bias = type == DType.FLOAT16 ? 0x1p-10 : type == DType.BFLOAT16 ? 0x1p-7 : 0x1p-14;
            double few = type == DType.FLOAT16 ? 0x1p-8 : type == DType.BFLOAT16 ? 0x1p-7 : 0x1p-11;
            double bound = terms < MANY_TERMS ? few : 2 * few;
            return Criteria.of(
                    name,
                    new Tolerance(new Closeness.Within(bound, 0, 1), false),
                    List.of(new Bound(Statistic.BIAS, Relation.AT_MOST, bias)));
        });
    }

    /**
     * The cosine of the angle between the output and its golden, as vectors, is at least this. Says little of single elements:
     * use it for outputs of whole models.
     *
     * @param atLeast in (0, 1]; 0.99 is the usual one
     * @throws IllegalArgumentException if {@code atLeast} is outside (0, 1]; {@link Golden#using} throws it for integers and booleans
     */
    public static Criterion cosine(double atLeast) {
        if (!(atLeast > 0 && atLeast <= 1)) {
            throw new IllegalArgumentException("cosine(" + atLeast + "): the bound is in (0, 1].");
        }
        String name = "cosine similarity";
        return of(name, (golden, expected) -> {
            requireFloating(name, golden, expected.type());
            return Criteria.of(
                    name,
                    new Tolerance(new Closeness.AnyFinite(), false),
                    List.of(new Bound(Statistic.COSINE, Relation.AT_LEAST, atLeast)));
        });
    }

    /**
     * Let this share of the elements be outside the tolerance, but none with NaN or an infinity on either side.
     *
     * <pre>{@code
     * Criterion.close(1e-4, 1e-5).allowing(1e-4)   // up to 100 of a million elements may differ more
     * }</pre>
     *
     * @param newShare in [0, 1); the number of elements is rounded down
     * @throws IllegalArgumentException if the share is outside [0, 1)
     */
    public Criterion allowing(double newShare) {
        if (!(newShare >= 0 && newShare < 1)) {
            throw new IllegalArgumentException("allowing(" + newShare + "): a share is in [0, 1).");
        }
        return new Criterion(
                name, (golden, expected) -> source.of(golden, expected).allowing(newShare), newShare);
    }

    /** Make the criteria for a golden. */
    Criteria criteria(String golden, Values expected) {
        return source.of(golden, expected);
    }

    /** The threshold of the Ascend criteria for a type. */
    private static double threshold(String criterion, String golden, DType type) {
        return switch (type) {
            case FLOAT16 -> 0x1p-10;
            case BFLOAT16 -> 0x1p-7;
            case FLOAT32 -> 0x1p-13;
            case FLOAT8_E4M3FN -> 0x1p-3;
            case FLOAT8_E5M2 -> 0x1p-2;
            default -> throw unknown(criterion, golden, type);
        };
    }

    private static IllegalArgumentException unknown(String criterion, String golden, DType type) {
        return new IllegalArgumentException(golden + ": the criterion \"" + criterion + "\" does not cover " + type
                + ". Choose another one, such as Criterion.close().");
    }

    private static void requireFloating(String criterion, String golden, DType type) {
        if (!type.isFloating()) {
            throw new IllegalArgumentException(golden + ": the criterion \"" + criterion + "\" does not cover " + type
                    + ", which is compared exactly.");
        }
    }

    static void requireTolerance(String part, double value) {
        if (!(value >= 0 && value < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(part + " is " + value + "; it must be finite and at least 0.");
        }
    }

    /** Returns the name that messages and reports show. */
    @Override
    public String toString() {
        return share == 0 ? name : name + ", except for " + percent(share) + " % of the elements";
    }

    /** 0.29 is 29.0 %, though {@code 0.29 * 100} is less. */
    private static double percent(double share) {
        return BigDecimal.valueOf(share).movePointRight(2).doubleValue();
    }
}
