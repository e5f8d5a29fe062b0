package org.rankunit.golden.pattern;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.rankunit.DType;
import org.rankunit.Values;
import org.rankunit.golden.compare.Comparison;
import org.rankunit.golden.mismatch.Samples;

/** The expected elements, rounded to a type with fewer digits on the way. */
record RoundedTo(Comparison comparison, DType type) implements MismatchPattern {

    private static final List<DType> OF_8_BITS = List.of(DType.FLOAT8_E4M3FN, DType.FLOAT8_E5M2, DType.HIFLOAT8);

    static Optional<MismatchPattern> in(Comparison comparison, Samples samples) {
        return narrower(comparison.expected().type()).stream()
                .<MismatchPattern>map(type -> new RoundedTo(comparison, type))
                .filter(each -> each.fits(samples))
                .findFirst();
    }

    /** The one with the most digits first: what is rounded to it may be rounded to the next by chance. */
    private static List<DType> narrower(DType type) {
        return switch (type) {
            case FLOAT64 -> joined(List.of(DType.FLOAT32, DType.FLOAT16, DType.BFLOAT16), OF_8_BITS);
            case FLOAT32 -> joined(List.of(DType.FLOAT16, DType.BFLOAT16), OF_8_BITS);
            case FLOAT16 -> joined(List.of(DType.BFLOAT16), OF_8_BITS);
            case BFLOAT16 -> OF_8_BITS;
            default -> List.of();
        };
    }

    private static List<DType> joined(List<DType> some, List<DType> others) {
        return Stream.concat(some.stream(), others.stream()).toList();
    }

    @Override
    public boolean predicts(int of, int index) {
        return comparison.isEqual(rounded(of), index);
    }

    private double rounded(int index) {
        return Values.rounded(type, comparison.expected().doubleAt(index)).doubleAt(0);
    }

    /** What is too small or too large for the type may have been so for another reason. */
    @Override
    public boolean speaksOf(int index) {
        double rounded = rounded(index);
        return rounded != 0 && Double.isFinite(rounded);
    }

    @Override
    public String toString() {
        return "every differing element is what was expected, rounded to " + type;
    }
}
