package org.rankunit.samples;

import java.util.Arrays;

/**
 * Matrices of one round of the tensor-parallel layer, {@code out = relu(X W W1) W2}, and its result in float64.
 *
 * <p>All values are small integers over powers of two, so that every sum is exact in float32 as well.
 */
final class TensorParallelData {

    private final Shape shape;

    private final double[] x;

    private final double[] w;

    private final double[] w1;

    private final double[] w2;

    /** X is {@code rows x inner}, W {@code inner x columns}, W1 {@code columns x hidden}, W2 {@code hidden x columns}. */
    record Shape(int rows, int inner, int columns, int hidden) {

        /** Returns the part of {@code inner} that each chip has. */
        int innerOf(int chips) {
            if (inner % chips != 0) {
                throw new IllegalArgumentException("K = " + inner + " is not divisible by " + chips + " chips");
            }
            return inner / chips;
        }
    }

    TensorParallelData(Shape shape, int round) {
        this.shape = shape;
        x = matrix(shape.rows(), shape.inner(), round);
        w = matrix(shape.inner(), shape.columns(), round + 1);
        w1 = matrix(shape.columns(), shape.hidden(), round + 2);
        w2 = matrix(shape.hidden(), shape.columns(), round + 3);
    }

    /** Eighths in [-1/2, 1/2]. */
    private static double[] matrix(int rows, int columns, int seed) {
        double[] values = new double[rows * columns];
        for (int i = 0; i < values.length; i++) {
            values[i] = ((i * 7L + i / columns * 3L + seed * 5L) % 9 - 4) / 8.0;
        }
        return values;
    }

    /** The columns of X that chip {@code chip} of {@code chips} has. */
    float[] shardOfX(int chip, int chips) {
        int width = shape.innerOf(chips);
        float[] shard = new float[shape.rows() * width];
        for (int i = 0; i < shard.length; i++) {
            shard[i] = (float) x[i / width * shape.inner() + chip * width + i % width];
        }
        return shard;
    }

    /** The rows of W that chip {@code chip} of {@code chips} has. */
    float[] shardOfW(int chip, int chips) {
        int length = shape.innerOf(chips) * shape.columns();
        return floats(Arrays.copyOfRange(w, chip * length, (chip + 1) * length));
    }

    float[] w1() {
        return floats(w1);
    }

    float[] w2() {
        return floats(w2);
    }

    /** The result of the layer without any sharding. */
    float[] result() {
        double[] sum = product(x, w, shape.inner(), shape.columns());
        double[] inner = product(sum, w1, shape.columns(), shape.hidden());
        double[] active = Arrays.stream(inner).map(value -> Math.max(0, value)).toArray();
        return floats(product(active, w2, shape.hidden(), shape.columns()));
    }

    private static double[] product(double[] a, double[] b, int inner, int columns) {
        double[] product = new double[a.length / inner * columns];
        for (int row = 0; row < a.length / inner; row++) {
            for (int k = 0; k < inner; k++) {
                for (int column = 0; column < columns; column++) {
                    product[row * columns + column] += a[row * inner + k] * b[k * columns + column];
                }
            }
        }
        return product;
    }

    private static float[] floats(double[] values) {
        float[] floats = new float[values.length];
        for (int i = 0; i < values.length; i++) {
            floats[i] = (float) values[i];
        }
        return floats;
    }
}
