package org.rankunit.golden.pattern;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntToLongFunction;
import org.rankunit.DType;
import org.rankunit.Values;
import org.rankunit.golden.compare.Comparison;
import org.rankunit.golden.compare.RankValues;
import org.rankunit.golden.mismatch.Samples;

/**
 * What follows from the expected elements by a rule, or what another rank should have or was given.
 *
 * @param doubles gives an element of a floating type
 * @param longs gives an element of another type
 * @param text what is said of the differing elements
 * @param tried how many patterns like it were
 * @param exact whether nothing is rounded
 */
record Computed(
        Comparison comparison,
        IntToDoubleFunction doubles,
        IntToLongFunction longs,
        String text,
        int tried,
        boolean exact)
        implements MismatchPattern {

    /**
     * The data of another rank, which was sent, read or computed with the wrong rank number, or an input, with which nothing was
     * done.
     */
    static Optional<MismatchPattern> ofOthers(Comparison comparison, Samples samples, RankValues ranks) {
        for (int rank = 0; rank < ranks.count(); rank++) {
            Optional<MismatchPattern> found = rank == ranks.self()
                    ? Optional.empty()
                    : of(comparison, ranks.of(rank), "what rank " + rank + " should have", ranks, samples);
            if (found.isPresent()) {
                return found;
            }
        }
        for (RankValues.Input input : ranks.inputs()) {
            for (int rank = 0; rank < ranks.count(); rank++) {
                String whose = "the input '" + input.name() + "' of rank " + rank;
                Optional<MismatchPattern> found = of(comparison, input.values().apply(rank), whose, ranks, samples);
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<MismatchPattern> of(
            Comparison comparison, Values theirs, String whose, RankValues ranks, Samples samples) {
        Values expected = comparison.expected();
        if (theirs.type() != expected.type()) {
            return Optional.empty();
        }
        // Where they have no element, the expected one explains nothing.
        int count = theirs.count();
        return Optional.<MismatchPattern>of(new Computed(
                        comparison,
                        i -> (i < count ? theirs : expected).doubleAt(i),
                        i -> (i < count ? theirs : expected).longAt(i),
                        "every differing element is " + whose,
                        ranks.count() * (1 + ranks.inputs().size()),
                        comparison.tolerance().bits()))
                .filter(each -> each.fits(samples));
    }

    static Optional<MismatchPattern> flippedSign(Comparison comparison, Samples samples) {
        Values expected = comparison.expected();
        return expected.type().isUnsigned()
                ? Optional.empty()
                : of(
                        comparison,
                        i -> -expected.doubleAt(i),
                        i -> -expected.longAt(i),
                        "every differing element has the other sign",
                        false,
                        samples);
    }

    /** The elements from the last one to the first one. */
    static Optional<MismatchPattern> reversed(Comparison comparison, Samples samples) {
        Values expected = comparison.expected();
        int last = expected.count() - 1;
        return of(
                comparison,
                i -> expected.doubleAt(last - i),
                i -> expected.longAt(last - i),
                "every differing element is what was expected in reversed order, at index " + last + " - i",
                false,
                samples);
    }

    /** Big endian for little endian, or the reverse. */
    static Optional<MismatchPattern> swappedBytes(Comparison comparison, Samples samples) {
        DType type = comparison.expected().type();
        return type.byteSize() == 1
                ? Optional.empty()
                : of(
                        comparison,
                        i -> swapped(comparison.expected(), i).doubleAt(0),
                        i -> swapped(comparison.expected(), i).longAt(0),
                        "every differing element is what was expected with its bytes in the other order",
                        true,
                        samples);
    }

    private static Values swapped(Values values, int index) {
        long bits = values.bitsAt(index);
        byte[] bytes = new byte[values.type().byteSize()];
        for (int i = bytes.length - 1; i >= 0; i--) {
            bytes[i] = (byte) bits;
            bits >>>= Byte.SIZE;
        }
        return Values.decode(values.type(), bytes);
    }

    /** The upper half of the bits of a {@code float}, which is a bfloat16, without rounding. */
    static Optional<MismatchPattern> truncated(Comparison comparison, Samples samples) {
        return comparison.expected().type() != DType.FLOAT32
                ? Optional.empty()
                : of(
                        comparison,
                        i -> Float.intBitsToFloat((int) comparison.expected().bitsAt(i) & 0xffff_0000),
                        i -> 0,
                        "every differing element is what was expected, truncated to bfloat16 and not rounded",
                        true,
                        samples);
    }

    /** Sums to which an input of one rank was not added, or was added twice. */
    static Optional<MismatchPattern> contribution(Comparison comparison, Samples samples, RankValues ranks) {
        Values expected = comparison.expected();
        List<Computed> all = new ArrayList<>();
        for (RankValues.Input input : ranks.inputs()) {
            for (int rank = 0; rank < ranks.count(); rank++) {
                Values theirs = input.values().apply(rank);
                if (isAlike(theirs.type(), expected.type()) && theirs.count() == expected.count()) {
                    String whose = "the input '" + input.name() + "' of rank " + rank;
                    int tried = 2 * ranks.count() * ranks.inputs().size();
                    all.add(new Computed(
                            comparison,
                            i -> expected.doubleAt(i) - theirs.doubleAt(i),
                            i -> wrapped(expected.type(), expected.longAt(i) - theirs.longAt(i)),
                            "every differing element is what was expected without " + whose,
                            tried,
                            false));
                    all.add(new Computed(
                            comparison,
                            i -> expected.doubleAt(i) + theirs.doubleAt(i),
                            i -> wrapped(expected.type(), expected.longAt(i) + theirs.longAt(i)),
                            "every differing element is what was expected with " + whose + " added twice",
                            tried,
                            false));
                }
            }
        }
        return all.stream()
                .filter(each -> each.fits(samples))
                .<MismatchPattern>map(each -> each)
                .findFirst();
    }

    /** An input may have fewer digits than a sum. */
    private static boolean isAlike(DType one, DType other) {
        return one != DType.BOOL && one.isFloating() == other.isFloating();
    }

    private static long wrapped(DType type, long number) {
        return switch (type) {
            case INT8 -> (byte) number;
            case INT16 -> (short) number;
            case INT32 -> (int) number;
            case UINT8 -> number & 0xffL;
            case UINT16 -> number & 0xffffL;
            case UINT32 -> number & 0xffff_ffffL;
            default -> number;
        };
    }

    private static Optional<MismatchPattern> of(
            Comparison comparison,
            IntToDoubleFunction doubles,
            IntToLongFunction longs,
            String text,
            boolean exact,
            Samples samples) {
        return Optional.<MismatchPattern>of(new Computed(comparison, doubles, longs, text, 1, exact))
                .filter(each -> each.fits(samples));
    }

    @Override
    public boolean predicts(int of, int index) {
        if (!comparison.expected().type().isFloating()) {
            return comparison.actual().longAt(index) == longs.applyAsLong(of);
        }
        double predicted = doubles.applyAsDouble(of);
        if (Double.isNaN(predicted)) {
            return Double.isNaN(comparison.actual().doubleAt(index));
        }
        return exact ? comparison.isEqual(predicted, index) : comparison.isExplainedBy(predicted, index);
    }

    @Override
    public String toString() {
        return text;
    }
}
