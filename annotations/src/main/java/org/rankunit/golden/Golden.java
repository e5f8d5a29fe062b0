package org.rankunit.golden;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.nio.file.Path;
import java.util.function.IntFunction;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.rankunit.Buffer;
import org.rankunit.DType;
import org.rankunit.RankBuffer;
import org.rankunit.RankContext;
import org.rankunit.Values;
import org.rankunit.golden.compare.Comparison;
import org.rankunit.golden.compare.Criteria;
import org.rankunit.golden.compare.Measurements;
import org.rankunit.golden.compare.RankValues;
import org.rankunit.golden.expect.Expectation;
import org.rankunit.golden.expect.Selection;
import org.rankunit.golden.mismatch.Mismatches;
import org.rankunit.golden.mismatch.Places;
import org.rankunit.golden.pattern.MismatchPattern;
import org.rankunit.golden.pattern.NeverWritten;
import org.rankunit.golden.pattern.PatternSearch;

/**
 * Compare an output with its expected values, element by element.
 *
 * <pre>{@code
 * Golden.of("output", 3f, 6f, 9f).verify(Values.float32(3f, 6f, 9.000001f));  // passes
 * Golden.of("output", 3f, 6f, 9f).verify(Values.float32(3f, 6f, 8f));         // fails:
 *
 *   output: 1 of 3 elements differs (33.3 %), at [2]
 *     only       [2]  expected 9.0  was 8.0  difference 1.0  (allowed 2.17E-5)
 *     tolerance  rtol 1.3E-6, atol 1.0E-5
 *
 * Golden.of("ids", 1000000).verify(Values.int32(1000001));  // fails: integers are compared exactly
 * Golden.of("output", 3f).verify(Values.float16(3f));       // fails: expected 1 x float32, was 1 x float16
 * }</pre>
 *
 * <p>Type and count are compared first; nothing is broadcast, converted or truncated. Then every element is compared:
 *
 * <ul>
 *   <li>Integers and booleans must be equal. A {@code BOOL} byte other than 0 or 1 equals neither.
 *   <li>A floating element {@code a} equals the expected {@code e} if {@code |a - e| <= atol + rtol * |e|}, computed in
 *       {@code double}. An infinity equals only the same infinity, {@code 0.0} equals {@code -0.0}, and NaN equals
 *       nothing unless {@link #nanEqualsNan()} is set.
 * </ul>
 *
 * <p>The default tolerances are those of PyTorch's {@code assert_close}, as (rtol, atol): {@code FLOAT16} (1e-3, 1e-5),
 * {@code BFLOAT16} (1.6e-2, 1e-5), {@code FLOAT32} (1.3e-6, 1e-5), {@code FLOAT64} (1e-7, 1e-7). Change them with
 * {@link #within}, or choose another {@link Criterion} with {@link #using}.
 *
 * <p>If three or more elements differ and one pattern explains all of them, the message names the pattern:
 *
 * <pre>{@code
 * every differing element is what rank 2 should have
 * every differing element is the input 'x' of rank 1           (see withInput)
 * every differing element is what was expected, rounded to bfloat16
 * [64, 128) and [128, 192) are swapped
 * rows 1 and 2 are swapped                                     (of a buffer with two extents)
 * every differing element has the other sign
 * every differing element is what was expected at index (i + 64) mod 256
 * every differing element is expected + 100.0
 * every differing element is expected x 0.5
 * every differing element up to [254] is what was expected at index i + 1
 * every differing element was never written                    (only of a buffer with the role OUTPUT)
 * }</pre>
 *
 * <p>To detect that an output belongs to another rank, use {@link #perRank}.
 *
 * <p>A golden is immutable: {@code within}, {@code by}, {@code exactBits}, {@code nanEqualsNan}, {@code allowEmpty}, {@code slice} and
 * {@code where} return a new one. Threads may share it. To see every wrong output of a test and not only the first, verify them in Jupiter's {@code assertAll}.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class Golden {

    private final String name;
    private final Expectation expectation;
    private final Criterion criterion;
    private final boolean nanEqualsNan;
    private final boolean emptyAllowed;
    private final Selection selection;
    private final @Nullable RankValues ranks;

    private Golden(
            String name,
            Expectation expectation,
            Criterion criterion,
            boolean nanEqualsNan,
            boolean emptyAllowed,
            Selection selection,
            @Nullable RankValues ranks) {
        this.name = name;
        this.expectation = expectation;
        this.criterion = criterion;
        this.nanEqualsNan = nanEqualsNan;
        this.emptyAllowed = emptyAllowed;
        this.selection = selection;
        this.ranks = ranks;
    }

    /**
     * Expect these values.
     *
     * @param name the name of the output in messages; not blank
     * @throws IllegalArgumentException if the name is blank
     */
    public static Golden of(String name, Values expected) {
        return of(name, new Expectation.Fixed(expected), null);
    }

    private static Golden of(String name, Expectation expectation, @Nullable RankValues ranks) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("A golden needs a name that identifies its output; the name is blank.");
        }
        return new Golden(name, expectation, Criterion.close(), false, false, new Selection.All(), ranks);
    }

    /**
     * Expect the same number in every element, whatever the type and the count of the output; the type has to hold it exactly.
     *
     * <pre>{@code
     * Golden.filled("cleared", 0).verify(rank.buffer("cleared"));
     * }</pre>
     *
     * @throws IllegalArgumentException if the name is blank
     */
    public static Golden filled(String name, double expected) {
        return of(name, new Expectation.Filled(expected), null);
    }

    /**
     * Expect what a file holds: {@code .npy}, {@code .npz} with one array or one of the file's name, or {@code .bin}. It is read when an output is
     * verified, and has to have its type, its count and, if both have one, its shape; {@link org.rankunit.golden.files.ValueFiles} describes
     * the formats.
     *
     * <pre>{@code
     * Golden.ofFile("output", Path.of("src/test/goldens/output.npy")).verify(rank.buffer("output"));
     * }</pre>
     *
     * @param file relative to the working folder of the ranks, which is that of the module
     * @throws IllegalArgumentException if the name is blank; {@link #verify} throws {@link org.rankunit.golden.files.ValueFileException} if the
     *     file cannot be read or does not fit
     */
    public static Golden ofFile(String name, Path file) {
        return of(name, new Expectation.OfFile(file), null);
    }

    /**
     * Expect a {@code FLOAT32} matrix, given by its rows. If the output has a shape, the extent of its rows must be that of these.
     *
     * @throws IllegalArgumentException if the rows are not equally long
     */
    public static Golden of(String name, float[][] expected) {
        return of(name, Expectation.Matrix.of(expected), null);
    }

    /**
     * Expect on each rank the values that this function returns for the rank's number.
     *
     * <pre>{@code
     * Golden.perRank("output", rank, r -> Values.float32(r, r + 1f, r + 2f)).verify(rank.buffer("output"));
     *
     *   output: all 3 elements differ
     *     ...
     *     pattern    every differing element is what rank 2 should have
     * }</pre>
     *
     * <p>The function is called once for this rank. Only if the output is wrong is it also called for other ranks, to find
     * out whether the output belongs to one of them; an exception it throws then is added to the failure as suppressed.
     *
     * @param name the name of the output in messages; not blank
     * @param rank this rank
     * @param expected returns the expected output of a rank in [0, {@link RankContext#worldSize()}); must return the same
     *     values for the same number on every rank
     * @throws IllegalArgumentException if the name is blank
     */
    public static Golden perRank(String name, RankContext rank, IntFunction<Values> expected) {
        return of(
                name,
                new Expectation.Fixed(expected.apply(rank.rank())),
                new RankValues(rank.rank(), rank.worldSize(), expected));
    }

    /**
     * Name an input of all ranks, so that a failure says if the output holds the input of a rank instead of a result.
     *
     * <pre>{@code
     * Golden.perRank("output", rank, r -> outputOf(r)).withInput("x", r -> inputOf(r)).verify(rank.buffer("output"));
     *
     *     pattern    every differing element is the input 'x' of rank 1
     * }</pre>
     *
     * <p>The function is called only if the output is wrong, for each rank.
     *
     * @throws IllegalStateException unless this golden was made by {@link #perRank}
     */
    public Golden withInput(String input, IntFunction<Values> values) {
        if (ranks == null) {
            throw new IllegalStateException(name + ": withInput() needs a golden made by perRank().");
        }
        return new Golden(
                name,
                expectation,
                criterion,
                nanEqualsNan,
                emptyAllowed,
                selection,
                ranks.with(new RankValues.Input(input, values)));
    }

    /** Expect a {@code FLOAT32} output; for 16-bit types use {@link #of(String, Values)}. */
    public static Golden of(String name, float... expected) {
        return of(name, Values.float32(expected));
    }

    /** Expect these numbers of a {@code FLOAT64} output, or of a buffer whose type holds each of them exactly. */
    public static Golden of(String name, double... expected) {
        return of(name, new Expectation.Literals(Values.float64(expected)), null);
    }

    /** Expect an {@code INT8} output. */
    public static Golden of(String name, byte... expected) {
        return of(name, Values.int8(expected));
    }

    /** Expect an {@code INT16} output. */
    public static Golden of(String name, short... expected) {
        return of(name, Values.int16(expected));
    }

    /** Expect these numbers of an {@code INT32} output, or of a buffer whose type holds each of them exactly. */
    public static Golden of(String name, int... expected) {
        return of(name, new Expectation.Literals(Values.int32(expected)), null);
    }

    /**
     * Expect these numbers of an {@code INT64} output, or of a buffer whose type holds each of them exactly; those of {@code UINT64} are
     * given as their bits.
     */
    public static Golden of(String name, long... expected) {
        return of(name, new Expectation.Literals(Values.int64(expected)), null);
    }

    /** Expect a {@code BOOL} output. */
    public static Golden of(String name, boolean... expected) {
        return of(name, Values.bool(expected));
    }

    /**
     * Allow differences up to {@code atol + rtol * |expected|}.
     *
     * <pre>{@code
     * Golden.of("output", 100f).within(1e-2, 0).verify(Values.float32(101f));    // passes: 1 <= 1
     * Golden.of("output", 100f).within(1e-3, 1e-3).verify(Values.float32(101f)); // fails: 1 > 0.101
     * Golden.of("ids", 7).within(1e-3, 0).verify(Values.int32(7)); // IllegalArgumentException: integers are compared exactly
     * }</pre>
     *
     * <p>With {@code within(0, 0)} the numbers must be equal; {@code -0.0} and {@code 0.0} are equal, and a failure says
     * how many such zeros there were. To compare bits, say {@link #exactBits()}.
     *
     * @param rtol relative part, a ratio; 0 for none
     * @param atol absolute part, in the unit of the elements; 0 for none
     * @return a golden with this tolerance instead of the previous one
     * @throws IllegalArgumentException if either is negative, infinite or NaN, or is not 0 for integers and booleans. For numbers that
     *     become those of the output's type, {@link #verify(RankBuffer) verify} throws it
     */
    public Golden within(double rtol, double atol) {
        Criterion.requireTolerance(name + ": rtol", rtol);
        Criterion.requireTolerance(name + ": atol", atol);
        return with(Criterion.close(rtol, atol), nanEqualsNan);
    }

    /**
     * Compare the bits of elements: for outputs that were only moved, and for those that must be reproduced exactly. A zero
     * equals only a zero of the same sign, and NaN only a NaN with the same bits. No effect on integers and booleans.
     *
     * <pre>{@code
     * Golden.of("output", 0f, Float.NaN).exactBits().verify(Values.float32(0f, Float.NaN));   // passes
     * Golden.of("output", 0f).exactBits().verify(Values.float32(-0f));                        // fails
     * Golden.of("output", 1f).exactBits().nanEqualsNan();                                     // IllegalArgumentException
     * }</pre>
     *
     * @return a golden that compares bits, whatever its tolerance was
     */
    public Golden exactBits() {
        return using(Criterion.exactBits());
    }

    /**
     * Compare by a criterion; without one, a golden compares as by {@link Criterion#close()}.
     *
     * <pre>{@code
     * Golden.of("output", expected).using(Criterion.doublePerMille()).verify(rank.buffer("output"));
     * Golden.of("ids", Values.int32(7)).using(Criterion.cosine(0.99));   // IllegalArgumentException: integers are compared exactly
     * }</pre>
     *
     * @return a golden that compares by this criterion, whatever it did before
     * @throws IllegalArgumentException if the criterion says nothing of the type of the elements. For numbers that become those of the
     *     output's type, {@link #verify(RankBuffer) verify} throws it
     */
    public Golden using(Criterion criterion) {
        return with(criterion, false);
    }

    /** The values are asked now whether the criterion is one for them, if their type is known now. */
    private Golden with(Criterion other, boolean nan) {
        Golden golden = new Golden(name, expectation, other, nan, emptyAllowed, selection, ranks);
        expectation.typed().ifPresent(golden::criteria);
        return golden;
    }

    private Criteria criteria(Values expected) {
        Criteria criteria = criterion.criteria(name, expected);
        return nanEqualsNan ? criteria.withNanEqualToNan(name) : criteria;
    }

    /**
     * Let NaN equal NaN, whatever its sign and payload; no effect on integers and booleans.
     *
     * <pre>{@code
     * Golden.of("output", Float.NaN).nanEqualsNan().verify(Values.float32(Float.NaN));  // passes
     * Golden.of("output", Float.NaN).verify(Values.float32(Float.NaN));                 // fails
     * Golden.of("output", 1f).nanEqualsNan().verify(Values.float32(Float.NaN));         // fails
     * }</pre>
     */
    public Golden nanEqualsNan() {
        return with(criterion, true);
    }

    /**
     * Let an empty output equal an empty golden. Without this an empty golden fails, because it would check nothing.
     *
     * <pre>{@code
     * Golden.of("tail", new float[0]).allowEmpty().verify(Values.float32());  // passes
     * Golden.of("tail", new float[0]).verify(Values.float32());               // fails
     * }</pre>
     */
    public Golden allowEmpty() {
        return new Golden(name, expectation, criterion, nanEqualsNan, true, selection, ranks);
    }

    /**
     * Compare only the elements in [from, to) of an output, which these values are; the others may be anything. It counts as a comparison
     * of the output.
     *
     * <pre>{@code
     * Golden.of("x", 1f, 2f).slice(10, 12).verify(rank.buffer("x"));    // elements 10 and 11
     * }</pre>
     *
     * <p>A failure has the indices of the output, and names no pattern.
     *
     * @throws IllegalArgumentException unless {@code 0 <= from <= to}
     * @throws IllegalStateException if this golden has a slice or a mask already
     */
    public Golden slice(int from, int to) {
        if (from < 0 || to < from) {
            throw new IllegalArgumentException(name + ": slice(" + from + ", " + to + ") is not a range of elements.");
        }
        return with(new Selection.Slice(from, to));
    }

    /**
     * Compare only the elements for which a mask holds, which has one for each element of the output, as this golden has; the others may
     * be anything. It counts as a comparison of the output.
     *
     * <p>A failure has the indices of the output, and names no pattern.
     *
     * @throws IllegalStateException if this golden has a slice or a mask already
     */
    public Golden where(boolean... mask) {
        return with(new Selection.Mask(mask));
    }

    private Golden with(Selection selected) {
        if (!selection.text().isEmpty()) {
            throw new IllegalStateException(
                    name + ": it compares only " + selection.text()
                            + ", and slice() or where() would replace that. Use one of them, once; a mask can select any elements.");
        }
        return new Golden(name, expectation, criterion, nanEqualsNan, emptyAllowed, selected, ranks);
    }

    /**
     * Compare every element, and fail with a full description if any differs. With {@code rankunit.golden=skip} nothing is compared.
     *
     * @return a summary of what was compared and how large the differences were
     * @throws GoldenMismatchError if the type, the count or an element differs, or if there is nothing to compare
     */
    public GoldenSummary verify(Values actual) {
        if (GoldenLog.skips()) {
            return skipped(actual.type(), actual.count());
        }
        int[] shape = {actual.count()};
        Expectation whole = expectation.given().isPresent()
                ? new Expectation.Fixed(expectation.given().get())
                : expectation;
        return verify(whole, actual, false, shape);
    }

    /**
     * Compare the content of an output.
     *
     * @param filled whether the output had the pattern of {@link NeverWritten} before the test
     * @param shape its extents
     */
    private GoldenSummary verify(Expectation wanted, Values output, boolean filled, int[] shape) {
        long start = System.nanoTime();
        Values actual;
        Values expected;
        try {
            actual = selection.of(output);
            expected = selection.expected(wanted, output.type(), shape);
        } catch (IllegalArgumentException e) {
            String why = String.valueOf(e.getMessage());
            Values shown = wanted.given().orElse(Values.decode(output.type(), new byte[0]));
            // The criterion need not be one for the type in which numbers are written.
            Criteria criteria = wanted.typed().isPresent()
                    ? criteria(shown)
                    : Criterion.close().criteria(name, shown);
            throw refused(
                    shown,
                    criteria,
                    output,
                    start,
                    wanted.given().map(given -> refusal(given, output) + ". ").orElse("") + why);
        }
        if (isRefused(expected, actual)) {
            throw refused(expected, criteria(expected), actual, start, refusal(expected, actual));
        }
        Comparison comparison = new Comparison(expected, actual, criteria(expected));
        Measurements found = comparison.measure();
        if (found.passed()) {
            GoldenSummary summary = Summaries.of(name, comparison, found, null).at(selection::indexInOutput);
            GoldenLog.record(summary, start);
            return summary;
        }
        Mismatches mismatches = Mismatches.in(comparison);
        GoldenSummary summary = Summaries.of(name, comparison, found, ErrorProfile.of(comparison));
        GoldenLog.record(summary.at(selection::indexInOutput), start);
        throw mismatch(comparison, summary, mismatches, filled, shape);
    }

    private GoldenSummary skipped(DType type, int count) {
        GoldenSummary summary = GoldenSummary.notVerified(name, type, count);
        GoldenLog.record(summary, System.nanoTime());
        return summary;
    }

    private GoldenMismatchError mismatch(
            Comparison comparison, GoldenSummary summary, Mismatches mismatches, boolean filled, int[] shape) {
        MismatchPattern pattern = null;
        Throwable unknown = null;
        boolean isWhole = selection.text().isEmpty();
        try {
            // What is left out could explain anything.
            pattern = !isWhole
                    ? null
                    : new PatternSearch(comparison, mismatches, ranks, filled, shape)
                            .found()
                            .orElse(null);
        } catch (RuntimeException | Error e) {
            // The test's own function failed for another rank; that must not hide the mismatch.
            unknown = e;
        }
        Places places = new Places(
                mismatches,
                comparison.expected().count(),
                shape,
                ranks == null || !isWhole ? 0 : ranks.count(),
                selection::indexInOutput);
        GoldenMismatchError error = new GoldenMismatchError(
                summary.at(selection::indexInOutput),
                new MismatchText(summary, comparison, mismatches, places, pattern, selection.text()).toString(),
                mismatches.listing(comparison.expected()),
                mismatches.listing(comparison.actual()));
        if (unknown != null) {
            error.addSuppressed(unknown);
        }
        return error;
    }

    /**
     * Compare every element of a buffer, as {@link #verify(Values)} does. If the buffer has a shape, a message gives the index
     * of an element in each extent as well: {@code [11] = [1, 3]}.
     *
     * <pre>{@code
     * Golden.of("output", expected).within(1e-5, 1e-5).verify(rank.buffer("output"));
     * }</pre>
     *
     * @throws GoldenMismatchError if the type, the count or an element differs, or if there is nothing to compare
     */
    public GoldenSummary verify(RankBuffer actual) {
        GoldenLog.verifies(actual);
        if (GoldenLog.skips()) {
            return skipped(actual.type(), actual.count());
        }
        return verify(expectation, actual.read(), actual.role() == Buffer.Role.OUTPUT, actual.shape());
    }

    /** Whether the elements cannot be compared at all. */
    private boolean isRefused(Values expected, Values actual) {
        return expected.type() != actual.type()
                || expected.count() != actual.count()
                || (expected.count() == 0 && !emptyAllowed);
    }

    private GoldenMismatchError refused(Values expected, Criteria criteria, Values actual, long start, String why) {
        GoldenSummary summary = Summaries.ofNothingCompared(name, expected, criteria);
        GoldenLog.record(summary, start);
        return new GoldenMismatchError(summary, name + ": " + why, expected.toString(), actual.toString());
    }

    private static String refusal(Values expected, Values actual) {
        boolean empty = expected.count() == 0 && actual.count() == 0 && expected.type() == actual.type();
        return empty
                ? "expected 0 x " + expected.type()
                        + ", so nothing was compared. If that is intended, call allowEmpty()."
                : "expected " + expected.count() + " x " + expected.type() + ", was " + actual.count() + " x "
                        + actual.type();
    }

    @Override
    public String toString() {
        return "Golden " + name + ": "
                + expectation.given().map(Values::toString).orElseGet(expectation::toString);
    }
}
