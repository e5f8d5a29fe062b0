package org.rankunit.golden.compare;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.List;
import java.util.Objects;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.rankunit.Values;

/**
 * What an output must satisfy.
 *
 * @param name the name of the criterion
 * @param share the share of elements that may be outside the tolerance, in [0, 1); an element with NaN or an infinity on
 *     either side never may
 * @param limit how far no element may be, whatever the share; null for no such limit
 * @param bounds what statistics over all elements have to be
 * @param small the expected elements that the statistics leave out
 * @param thirdParty the result of another implementation: an element that is not finite is right if it equals that one as
 *     well; null if there is none
 */
@API(status = INTERNAL, since = "0.1")
public record Criteria(
        String name,
        Tolerance tolerance,
        double share,
        @Nullable Closeness limit,
        List<Bound> bounds,
        SmallValues small,
        @Nullable Values thirdParty) {

    public Criteria {
        bounds = List.copyOf(bounds);
    }

    /** Every element is within the tolerance. */
    public static Criteria of(String name, Tolerance tolerance) {
        return new Criteria(name, tolerance, 0, null, List.of(), SmallValues.none(), null);
    }

    /** Every element is within the tolerance, and these statistics within their bounds. */
    public static Criteria of(String name, Tolerance tolerance, List<Bound> bounds) {
        return new Criteria(name, tolerance, 0, null, bounds, SmallValues.none(), null);
    }

    public Criteria allowing(double newShare) {
        return new Criteria(name, tolerance, newShare, limit, bounds, small, thirdParty);
    }

    public Criteria limitedTo(Closeness newLimit) {
        return new Criteria(name, tolerance, share, newLimit, bounds, small, thirdParty);
    }

    /** Compare with the result of another implementation, which is as long as the output. */
    public Criteria beside(Values other, SmallValues leftOut) {
        return new Criteria(name, tolerance, share, limit, bounds, leftOut, other);
    }

    /**
     * Let NaN equal NaN.
     *
     * @throws IllegalArgumentException if bits are compared
     */
    public Criteria withNanEqualToNan(String golden) {
        return new Criteria(name, tolerance.withNanEqualToNan(golden), share, limit, bounds, small, thirdParty);
    }

    /** How many elements may be outside the tolerance: as many as are at most this share of all, {@code n / count <= share}. */
    public int allowedMismatches(int count) {
        // The product is rounded: 0.29 * 100 is less than 29.
        int allowed = (int) Math.ceil(share * count);
        while (allowed > 0 && (double) allowed / count > share) {
            allowed--;
        }
        return allowed;
    }

    /** Whether {@link Comparison#measure} has to sum up the errors of all elements. */
    boolean needsSums() {
        return !bounds.isEmpty();
    }

    /** Whether an element that is not finite equals that of the other implementation. */
    boolean isAsThirdParty(int index, double actual) {
        return thirdParty != null
                && !Double.isFinite(actual)
                && Double.compare(Objects.requireNonNull(thirdParty).doubleAt(index), actual) == 0;
    }
}
