package org.rankunit.golden;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.io.Serializable;
import java.util.function.IntUnaryOperator;
import org.apiguardian.api.API;

/**
 * Show one element that differs.
 *
 * @param index its index in the output
 * @param expected the expected element, formatted as in messages; text, since no number type holds every element type
 * @param actual the actual element, formatted the same way
 * @param difference their absolute difference, in the unit of the elements; may be infinite; NaN if either side is NaN
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public record GoldenSample(int index, String expected, String actual, double difference) implements Serializable {

    /** The same element at another index. */
    GoldenSample at(IntUnaryOperator other) {
        return new GoldenSample(other.applyAsInt(index), expected, actual, difference);
    }
}
