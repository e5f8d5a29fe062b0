package org.rankunit.golden.pattern;

import java.util.List;
import java.util.Optional;
import org.rankunit.DType;
import org.rankunit.Values;
import org.rankunit.golden.compare.Comparison;

/** The expected elements, rounded to a type with fewer digits on the way. */
record RoundedTo(Comparison comparison, DType type) implements MismatchPattern {

    static Optional<MismatchPattern> in(Comparison comparison, Samples samples) {
        return narrower(comparison.expected().type()).stream()
                .<MismatchPattern>map(type -> new RoundedTo(comparison, type))
                .filter(samples::fit)
                .findFirst();
    }

    /** The one with the most digits first: what is rounded to it may be rounded to the next by chance. */
    private static List<DType> narrower(DType type) {
        return switch (type) {
            case FLOAT64 -> List.of(DType.FLOAT32, DType.FLOAT16, DType.BFLOAT16);
            case FLOAT32 -> List.of(DType.FLOAT16, DType.BFLOAT16);
            case FLOAT16 -> List.of(DType.BFLOAT16);
            default -> List.of();
        };
    }

    @Override
    public boolean explains(int index) {
        float expected = (float) comparison.expected().doubleAt(index);
        double rounded = switch (type) {
            case FLOAT16 -> Values.float16(expected).doubleAt(0);
            case BFLOAT16 -> Values.bfloat16(expected).doubleAt(0);
            default -> expected;
        };
        return rounded == comparison.actual().doubleAt(index);
    }

    @Override
    public String toString() {
        return "every differing element is what was expected, rounded to " + type;
    }
}
