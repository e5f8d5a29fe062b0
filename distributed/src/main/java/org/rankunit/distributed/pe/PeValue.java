package org.rankunit.distributed.pe;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.apiguardian.api.API;
import org.rankunit.DType;
import org.rankunit.Values;

/**
 * Data that a kernel holds: a handle of elements in a memory of its processing element. Immutable.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class PeValue {

    private final Values values;
    private final int[] shape;
    private final MemorySpace space;

    /**
     * @param shape sizes of the dimensions, the last one first to vary; their product is the number of elements
     * @throws IllegalArgumentException if it is not
     */
    public PeValue(Values values, MemorySpace space, int... shape) {
        this.values = values;
        this.space = space;
        this.shape = shape.clone();
        if (count(shape) != values.count()) {
            throw new IllegalArgumentException(
                    values.count() + " elements do not have the shape " + Arrays.toString(shape));
        }
    }

    private static long count(int... shape) {
        long count = 1;
        for (int size : shape) {
            count *= size;
        }
        return count;
    }

    public Values values() {
        return values;
    }

    public DType type() {
        return values.type();
    }

    public int count() {
        return values.count();
    }

    /** Size in bytes. */
    public int bytes() {
        return values.count() * values.type().byteSize();
    }

    public MemorySpace space() {
        return space;
    }

    public int[] shape() {
        return shape.clone();
    }

    /** Get the same data in another shape. */
    public PeValue withShape(int... newShape) {
        return new PeValue(values, space, newShape);
    }

    /** Describe type and shape, as in {@code "float16 (1, 32)"}. */
    public String describe() {
        return describe(type(), shape);
    }

    /** Describe a type and a shape. */
    public static String describe(DType type, int... shape) {
        return type + " "
                + Arrays.stream(shape).mapToObj(Integer::toString).collect(Collectors.joining(", ", "(", ")"));
    }

    /** Returns {@code "float16 (1, 32) in tcm"}. */
    @Override
    public String toString() {
        return describe() + " in " + space;
    }
}
