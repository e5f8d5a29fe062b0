package org.rankunit.golden.model;

import org.rankunit.DType;
import org.rankunit.Values;

/** Arrays of Java as values of a buffer's type. If they do not fit it, the types of values and buffer differ, which is reported. */
final class ModelValues {

    private ModelValues() {}

    static Values of(DType type, float[] values) {
        return switch (type) {
            case FLOAT16 -> Values.float16(values);
            case BFLOAT16 -> Values.bfloat16(values);
            default -> Values.float32(values);
        };
    }

    static Values of(DType type, int[] values) {
        return switch (type) {
            case UINT8 -> Values.uint8(values);
            case UINT16 -> Values.uint16(values);
            default -> Values.int32(values);
        };
    }
}
