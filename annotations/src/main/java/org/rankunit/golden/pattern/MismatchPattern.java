package org.rankunit.golden.pattern;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.golden.mismatch.Samples;

/**
 * A relation that explains the differing elements: what the output holds instead of the expected values.
 *
 * <p>A pattern is proposed if it explains a few of the differing elements, and reported only if it explains all of them;
 * see {@link PatternSearch}. Its {@code toString()} is the text shown in the message.
 */
@API(status = INTERNAL, since = "0.1")
public sealed interface MismatchPattern
        permits NeverWritten,
                RoundedTo,
                Transposed,
                SwappedBlocks,
                SwappedColumns,
                Computed,
                ShiftedIndex,
                ConstantOffset,
                IntegerOffset,
                ConstantFactor,
                IntegerFactor,
                SmallSteps {

    /** Tell whether it explains the actual value of this differing element. */
    default boolean explains(int index) {
        return predicts(index, index);
    }

    /** Tell whether it explains every differing element; empty if each has to be looked at. It then speaks of all of them. */
    default Optional<Boolean> explainsAll() {
        return Optional.empty();
    }

    /** Tell whether it explains all samples. */
    default boolean fits(Samples samples) {
        return samples.all(this::explains);
    }

    /** Tell whether what it says of one element would explain the actual value of another one. */
    boolean predicts(int of, int index);

    /** Tell whether it says anything of this element that tells it from others. */
    default boolean speaksOf(int index) {
        return true;
    }

    /** How many patterns like it were tried. */
    default int tried() {
        return 1;
    }

    /** How many of the explained elements were used to find it. */
    default int fitted() {
        return 0;
    }

    /** Stands before it in the message. */
    default String label() {
        return "pattern";
    }
}
