package org.rankunit.golden.compare;

import static org.apiguardian.api.API.Status.INTERNAL;

import org.apiguardian.api.API;
import org.rankunit.DType;

/** Decide whether an element of a floating type equals the expected one: the rules for NaN, infinities and zeros. */
@API(status = INTERNAL, since = "0.1")
public record Tolerance(Closeness closeness, boolean nanEqualsNan) {

    /** Numbers are compared. */
    public Tolerance(double rtol, double atol, boolean nanEqualsNan) {
        this(new Closeness.Within(rtol, atol, 0), nanEqualsNan);
    }

    /** The bits of elements are compared. */
    public static Tolerance ofBits() {
        return new Tolerance(new Closeness.SameBits(), false);
    }

    /** The defaults of PyTorch's {@code torch.testing.assert_close}, which has none for types of 8 bits. */
    public static Tolerance defaultFor(DType type) {
        return switch (type) {
            case FLOAT16 -> new Tolerance(1e-3, 1e-5, false);
            case BFLOAT16 -> new Tolerance(1.6e-2, 1e-5, false);
            case FLOAT32 -> new Tolerance(1.3e-6, 1e-5, false);
            case FLOAT64 -> new Tolerance(1e-7, 1e-7, false);
            default -> new Tolerance(0, 0, false);
        };
    }

    /** The relative part; 0 if there is none. */
    public double rtol() {
        return closeness instanceof Closeness.Within within ? within.rtol() : 0;
    }

    /** The absolute part; 0 if there is none. */
    public double atol() {
        return closeness instanceof Closeness.Within within ? within.atol() : 0;
    }

    public boolean bits() {
        return closeness instanceof Closeness.SameBits;
    }

    /**
     * Let NaN equal NaN.
     *
     * @throws IllegalArgumentException if bits are compared
     */
    Tolerance withNanEqualToNan(String golden) {
        if (bits()) {
            throw new IllegalArgumentException(golden
                    + ": exactBits() compares the bits of NaN too, so nanEqualsNan() cannot apply. Leave out one.");
        }
        return new Tolerance(closeness, true);
    }

    boolean accepts(double expected, double actual) {
        if (expected == actual) {
            return true;
        }
        if (Double.isNaN(expected) || Double.isNaN(actual)) {
            return nanEqualsNan && Double.isNaN(expected) && Double.isNaN(actual);
        }
        if (Double.isInfinite(expected) || Double.isInfinite(actual)) {
            return false;
        }
        return closeness.accepts(expected, actual);
    }

    /** The largest difference from this expected element that is accepted. */
    double allowed(double expected) {
        return closeness.allowed(expected);
    }
}
