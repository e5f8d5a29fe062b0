package org.rankunit.golden.compare;

import static org.apiguardian.api.API.Status.INTERNAL;

import org.apiguardian.api.API;
import org.rankunit.DType;

/** How far a finite element may be from the finite element that is expected. */
@API(status = INTERNAL, since = "0.1")
public sealed interface Closeness {

    /** Tell whether this element of a floating type is close enough; both are finite and differ. */
    boolean accepts(double expected, double actual);

    /** The largest difference from this expected element that is accepted. */
    double allowed(double expected);

    /** The largest difference of integers that is accepted, as an unsigned number. */
    long allowedSteps();

    /** What is allowed, in words: {@code "rtol 1.0E-3, atol 1.0E-5"}. */
    String text();

    /**
     * Up to {@code atol + rtol * max(floor, |expected|)}.
     *
     * @param floor expected elements of smaller magnitude count as this one
     */
    record Within(double rtol, double atol, double floor) implements Closeness {

        @Override
        public boolean accepts(double expected, double actual) {
            double difference = Math.abs(actual - expected);
            if (Double.isInfinite(difference)) {
                // Two finite doubles whose difference overflows a double; half of each side of the comparison is
                // finite.
                double half = Math.abs(actual / 2 - expected / 2);
                return half <= atol / 2 + rtol * (magnitude(expected) / 2);
            }
            return difference <= allowed(expected);
        }

        @Override
        public double allowed(double expected) {
            return atol + rtol * magnitude(expected);
        }

        private double magnitude(double expected) {
            return Math.max(floor, Math.abs(expected));
        }

        @Override
        public long allowedSteps() {
            return 0;
        }

        @Override
        public String text() {
            String text = "rtol " + Numbers.exact(rtol) + ", atol " + Numbers.exact(atol);
            return floor == 0
                    ? text
                    : text + ", magnitudes below " + Numbers.exact(floor) + " as " + Numbers.exact(floor);
        }
    }

    /** The same bits. */
    record SameBits() implements Closeness {

        @Override
        public boolean accepts(double expected, double actual) {
            return false;
        }

        @Override
        public double allowed(double expected) {
            return 0;
        }

        @Override
        public long allowedSteps() {
            return 0;
        }

        @Override
        public String text() {
            return "none: bits are compared";
        }
    }

    /**
     * Up to this many steps from one element of the type to the next, or up to a difference.
     *
     * @param orUpTo a difference that is accepted however many steps it is; 0 for none
     */
    record Steps(int steps, double orUpTo, DType type) implements Closeness {

        @Override
        public boolean accepts(double expected, double actual) {
            return Math.abs(actual - expected) <= orUpTo
                    || Long.compareUnsigned(Ulps.between(expected, actual, type), steps) <= 0;
        }

        @Override
        public double allowed(double expected) {
            return Math.max(orUpTo, steps * Ulps.size(Math.abs(expected), type));
        }

        @Override
        public long allowedSteps() {
            return steps;
        }

        @Override
        public String text() {
            String text = type.isFloating() ? steps + " ulp" : "a difference of " + steps;
            return orUpTo == 0 ? text : Numbers.exact(orUpTo) + " or " + text;
        }
    }

    /** Any finite element: statistics over all elements decide. */
    record AnyFinite() implements Closeness {

        @Override
        public boolean accepts(double expected, double actual) {
            return true;
        }

        @Override
        public double allowed(double expected) {
            return Double.POSITIVE_INFINITY;
        }

        @Override
        public long allowedSteps() {
            return -1;
        }

        @Override
        public String text() {
            return "any finite element";
        }
    }
}
