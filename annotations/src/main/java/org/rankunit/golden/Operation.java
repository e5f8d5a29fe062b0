package org.rankunit.golden;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;
import org.rankunit.DType;

/**
 * Kinds of operations, each with the usual standard for every type of element.
 *
 * <pre>{@code
 * Golden.of("gathered", all).by(Standard.of(Operation.MOVE)).verify(rank.buffer("gathered"));
 * Golden.of("c", product).by(Standard.of(Operation.MATRIX_PRODUCT)).verify(rank.buffer("c"));
 * }</pre>
 *
 * <p>Integers and booleans are compared exactly, except by {@link #QUANTIZATION}.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public enum Operation {

    /** Data is only moved, as by all-gather, broadcast, all-to-all and transpose: {@link Standard#exactBits()}. */
    MOVE,

    /** Elements are computed one by one: {@link Standard#close()}; floating types of 8 bits {@link Standard#ulps ulps(1)}. */
    ELEMENTWISE,

    /**
     * Elements of a few ranks or rows are summed up: {@link Standard#reduction} of few terms; {@code FLOAT64} {@link Standard#close()};
     * floating types of 8 bits {@link Standard#ulps ulps(1)}.
     */
    REDUCTION,

    /**
     * Sums of thousands of products: {@link Standard#reduction} of many terms; {@code FLOAT64} {@link Standard#close()}; floating types of
     * 8 bits {@link Standard#ulps ulps(1)}.
     */
    MATRIX_PRODUCT,

    /** Numbers become integers or floating numbers of 8 bits, which may differ by one step: {@link Standard#ulps ulps(1)}. Other types have none. */
    QUANTIZATION;

    private static final int FEW_TERMS = 2;
    private static final int MANY_TERMS = 2048;

    /** The standard for outputs of a type. */
    Standard standardFor(DType type) {
        boolean narrow = type.isFloating() && type.byteSize() == Byte.BYTES;
        return switch (this) {
            case MOVE -> Standard.exactBits();
            case ELEMENTWISE -> narrow ? Standard.ulps(1) : Standard.close();
            case REDUCTION -> narrow ? Standard.ulps(1) : sumOf(FEW_TERMS, type);
            case MATRIX_PRODUCT -> narrow ? Standard.ulps(1) : sumOf(MANY_TERMS, type);
            case QUANTIZATION -> narrow ? Standard.ulps(1) : Standard.quantized();
        };
    }

    private static Standard sumOf(int terms, DType type) {
        return type.isFloating() && type != DType.FLOAT64 ? Standard.reduction(terms) : Standard.close();
    }
}
