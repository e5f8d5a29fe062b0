package org.rankunit.golden;

/**
 * A relation that explains why elements differ: what is there instead of what should be.
 *
 * <p>A pattern is proposed because it explains a few of the differing elements, and named only if it explains all of them;
 * see {@link PatternSearch}. Its {@code toString()} is what the message says.
 */
sealed interface MismatchPattern
        permits OtherRanksData,
                SwappedBlocks,
                FlippedSign,
                ShiftedIndex,
                ConstantOffset,
                IntegerOffset,
                ConstantFactor,
                IntegerFactor {

    /** Tell whether it explains what was found in this element, which differs. */
    boolean explains(int index);
}
