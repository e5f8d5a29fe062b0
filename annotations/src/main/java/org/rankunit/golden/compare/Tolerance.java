package org.rankunit.golden.compare;

import static org.apiguardian.api.API.Status.INTERNAL;

import org.apiguardian.api.API;
import org.rankunit.DType;

/** Decide whether a floating element is close enough to the expected one. */
@API(status = INTERNAL, since = "0.1")
public record Tolerance(double rtol, double atol, boolean nanEqualsNan, boolean bits) {

    /** Numbers are compared. */
    public Tolerance(double rtol, double atol, boolean nanEqualsNan) {
        this(rtol, atol, nanEqualsNan, false);
    }

    /** The bits of elements are compared. */
    public static Tolerance ofBits() {
        return new Tolerance(0, 0, false, true);
    }

    public static Tolerance defaultFor(DType type) {
        return switch (type) {
            case FLOAT16 -> new Tolerance(1e-3, 1e-5, false);
            case BFLOAT16 -> new Tolerance(1.6e-2, 1e-5, false);
            case FLOAT32 -> new Tolerance(1.3e-6, 1e-5, false);
            case FLOAT64 -> new Tolerance(1e-7, 1e-7, false);
            default -> new Tolerance(0, 0, false);
        };
    }

    public Tolerance within(String golden, DType type, double newRtol, double newAtol) {
        check(golden, "rtol", newRtol);
        check(golden, "atol", newAtol);
        if (!type.isFloating() && (newRtol != 0 || newAtol != 0)) {
            throw new IllegalArgumentException(golden + ": " + type + " is compared exactly, so within(" + newRtol
                    + ", " + newAtol + ") cannot apply. Leave it out, or give 0, 0.");
        }
        return new Tolerance(newRtol, newAtol, nanEqualsNan);
    }

    /**
     * Let NaN equal NaN.
     *
     * @throws IllegalArgumentException if bits are compared
     */
    public Tolerance withNanEqualToNan(String golden) {
        if (bits) {
            throw new IllegalArgumentException(golden
                    + ": exactBits() compares the bits of NaN too, so nanEqualsNan() cannot apply. Leave out one.");
        }
        return new Tolerance(rtol, atol, true);
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
        double difference = Math.abs(actual - expected);
        if (Double.isInfinite(difference)) {
            // Two finite doubles whose difference overflows a double; half of each side of the comparison is finite.
            double half = Math.abs(actual / 2 - expected / 2);
            return half <= atol / 2 + rtol * Math.abs(expected / 2);
        }
        return difference <= allowed(expected);
    }

    /** The largest difference from this expected element that is accepted. */
    double allowed(double expected) {
        return atol + rtol * Math.abs(expected);
    }

    private static void check(String golden, String part, double value) {
        if (!(value >= 0 && value < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(
                    golden + ": " + part + " is " + value + "; it must be finite and at least 0.");
        }
    }
}
