package org.rankunit.golden;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;
import org.rankunit.DType;

/**
 * Kinds of operations, each with the usual criterion for every type of element.
 *
 * <pre>{@code
 * Golden.of("gathered", all).using(Criterion.of(Operation.MOVE)).verify(rank.buffer("gathered"));
 * Golden.of("c", product).using(Criterion.of(Operation.MATRIX_PRODUCT)).verify(rank.buffer("c"));
 * }</pre>
 *
 * <p>Integers and booleans are compared exactly, except by {@link #QUANTIZATION}.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public enum Operation {

    /** Data is only moved, as by all-gather, broadcast, all-to-all and transpose: {@link Criterion#exactBits()}. */
    MOVE,

    /** Elements are computed one by one: {@link Criterion#close()}; floating types of 8 bits {@link Criterion#ulps ulps(1)}. */
    ELEMENTWISE,

    /**
     * Elements of a few ranks or rows are summed up: {@link Criterion#reduction} of few terms; {@code FLOAT64} {@link Criterion#close()};
     * floating types of 8 bits {@link Criterion#ulps ulps(1)}.
     */
    REDUCTION,

    /**
     * Sums of thousands of products: {@link Criterion#reduction} of many terms; {@code FLOAT64} {@link Criterion#close()}; floating types of
     * 8 bits {@link Criterion#ulps ulps(1)}.
     */
    MATRIX_PRODUCT,

    /** Numbers become integers or floating numbers of 8 bits, which may differ by one step: {@link Criterion#ulps ulps(1)}. Other types have none. */
    QUANTIZATION;

    private static final int FEW_TERMS = 2;
    private static final int MANY_TERMS = 2048;

    /** The criterion for outputs of a type. */
    Criterion criterionFor(DType type) {
        boolean narrow = type.isFloating() && type.byteSize() == Byte.BYTES;
        return switch (this) {
            case MOVE -> Criterion.exactBits();
            case ELEMENTWISE -> narrow ? Criterion.ulps(1) : Criterion.close();
            case REDUCTION -> narrow ? Criterion.ulps(1) : sumOf(FEW_TERMS, type);
            case MATRIX_PRODUCT -> narrow ? Criterion.ulps(1) : sumOf(MANY_TERMS, type);
            case QUANTIZATION -> narrow ? Criterion.ulps(1) : Criterion.quantized();
        };
    }

    private static Criterion sumOf(int terms, DType type) {
        return type.isFloating() && type != DType.FLOAT64 ? Criterion.reduction(terms) : Criterion.close();
    }
}
