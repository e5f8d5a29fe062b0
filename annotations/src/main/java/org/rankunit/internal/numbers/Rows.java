package org.rankunit.internal.numbers;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.Arrays;
import org.apiguardian.api.API;

/** Joins the rows of a matrix. */
@API(status = INTERNAL, since = "0.1")
public final class Rows {

    private Rows() {}

    /**
     * Join rows in their order.
     *
     * @throws IllegalArgumentException if they are not equally long
     */
    public static float[] joined(float[]... rows) {
        int columns = rows.length == 0 ? 0 : rows[0].length;
        float[] all = new float[Math.multiplyExact(rows.length, columns)];
        for (int i = 0; i < rows.length; i++) {
            if (rows[i].length != columns) {
                throw new IllegalArgumentException("row " + i + " has " + rows[i].length + " elements, and row 0 has "
                        + columns + ". All rows of a matrix have the same length.");
            }
            System.arraycopy(rows[i], 0, all, i * columns, columns);
        }
        return all;
    }

    /**
     * Join rows for this shape.
     *
     * @throws IllegalArgumentException if they are not as long as its rows; a shape with one extent has none
     */
    public static float[] joined(int[] shape, float[]... rows) {
        float[] all = joined(rows);
        requireColumns(shape, rows.length == 0 ? 0 : rows[0].length);
        return all;
    }

    /** Refuse rows that are not as long as those of a shape with several extents. */
    public static void requireColumns(int[] shape, int columns) {
        int last = shape[shape.length - 1];
        if (shape.length > 1 && last != columns) {
            throw new IllegalArgumentException("The rows have " + columns + " elements, and those of the shape "
                    + Arrays.toString(shape) + " have " + last + ".");
        }
    }
}
