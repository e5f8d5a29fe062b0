package org.rankunit.golden.compare;

import static org.apiguardian.api.API.Status.INTERNAL;

import org.apiguardian.api.API;
import org.rankunit.DType;

/**
 * The expected elements that are too small for relative errors: below a threshold, an error is counted if it is larger than
 * another one. The figures are those of section 4.5.3 of the Ascend operator precision standard
 * ({@code docs/zh/ops_precision_standard/commercial_standard.md} of hicann/opbase).
 */
@API(status = INTERNAL, since = "0.1")
public record SmallValues(double threshold, double error) {

    /** The figures for a floating type; nothing is too small for a type that the criterion does not list. */
    public static SmallValues of(DType type) {
        return switch (type) {
            case FLOAT16 -> new SmallValues(0x1p-11, 0x1p-16);
            case BFLOAT16 -> new SmallValues(0x1p-8, 0x1p-16);
            case FLOAT32 -> new SmallValues(0x1p-14, 0x1p-30);
            case FLOAT8_E4M3FN -> new SmallValues(0x1p-4, 0x1p-6);
            case FLOAT8_E5M2 -> new SmallValues(0x1p-3, 0x1p-5);
            default -> none();
        };
    }

    public static SmallValues none() {
        return new SmallValues(0, 0);
    }
}
