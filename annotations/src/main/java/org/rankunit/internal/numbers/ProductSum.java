package org.rankunit.internal.numbers;

import static org.apiguardian.api.API.Status.INTERNAL;

import org.apiguardian.api.API;

/**
 * A sum of products of finite numbers, which neither overflows nor loses products that underflow, with compensation for rounding
 * (Neumaier). It is kept as a number and a power of two.
 */
@API(status = INTERNAL, since = "0.1")
public final class ProductSum {

    /** Products between these, 2^31 of them, are summed up as they are. */
    private static final double SMALLEST = 0x1p-900;

    private static final double LARGEST = 0x1p900;

    private double sum;
    private double lost;
    private int exponent;

    /** Add {@code a * b}. */
    public void add(double a, double b) {
        add(a, b, 0);
    }

    /** Add {@code a * b * 2^twos}; {@code twos} is even. */
    public void add(double a, double b, int twos) {
        if (a == 0 || b == 0) {
            return;
        }
        double product = a * b;
        double magnitude = Math.abs(product);
        if (twos == 0 && exponent == 0 && magnitude >= SMALLEST && magnitude <= LARGEST) {
            addScaled(product);
            return;
        }
        int ofA = Math.getExponent(a);
        int ofB = Math.getExponent(b);
        int scale = ofA + ofB + twos;
        if (scale > exponent || isZero()) {
            sum = Math.scalb(sum, exponent - scale);
            lost = Math.scalb(lost, exponent - scale);
            exponent = scale;
        }
        addScaled(Math.scalb(Math.scalb(a, -ofA) * Math.scalb(b, -ofB), scale - exponent));
    }

    private void addScaled(double value) {
        double next = sum + value;
        lost += Math.abs(sum) >= Math.abs(value) ? (sum - next) + value : (value - next) + sum;
        sum = next;
    }

    /** Whether nothing but zeros was added, or what was added is 0 together. */
    public boolean isZero() {
        return sum == 0 && lost == 0;
    }

    /** The root of the sum of squares, divided by their number. */
    public double rootOfMean(long count) {
        // The exponents of squares are even.
        return count == 0 ? 0 : Math.scalb(Math.sqrt(total() / count), exponent / 2);
    }

    /** {@code products / sqrt(some * others)}, in [-1, 1], where the latter two are sums of the squares. */
    public static double cosine(ProductSum products, ProductSum some, ProductSum others) {
        if (products.isZero()) {
            return 0;
        }
        double product = products.total();
        double ofSome = some.total();
        double ofOthers = others.total();
        int twos = evenExponent(product);
        int twosOfSome = evenExponent(ofSome);
        int twosOfOthers = evenExponent(ofOthers);
        // The root of the square of a number is that number: two equal arrays have a cosine of 1.
        double scaled = Math.scalb(product, -twos)
                / Math.sqrt(Math.scalb(ofSome, -twosOfSome) * Math.scalb(ofOthers, -twosOfOthers));
        int lengths = (some.exponent + twosOfSome) / 2 + (others.exponent + twosOfOthers) / 2;
        double cosine = Math.scalb(scaled, products.exponent + twos - lengths);
        return Math.max(-1, Math.min(1, cosine));
    }

    private double total() {
        return sum + lost;
    }

    private static int evenExponent(double value) {
        return Math.getExponent(value) & ~1;
    }
}
