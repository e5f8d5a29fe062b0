package org.rankunit.golden.compare;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.rankunit.DType;
import org.rankunit.Values;
import org.rankunit.compare.ArrayScan;

/** Native code for a comparison that it can make: with the same results, faster. It looks at all elements once. */
final class Scans {

    private static final int LISTED = 1024;

    /** Where one element in so many differs or fewer do, they are listed only once. */
    private static final int SPARSE = 512;

    private final ArrayScan scan;
    private final int allowed;
    private final int[] indices;
    private final ArrayScan.Profile profile;
    private ArrayScan.@Nullable Result result;

    private Scans(ArrayScan scan, int count, int allowed) {
        this.scan = scan;
        this.allowed = allowed;
        this.indices = new int[LISTED + count / SPARSE];
        this.profile = Comparison.emptyProfile(count);
    }

    /** The native code for this comparison; empty if it is a small one, or one that only Java can make. */
    static Optional<Scans> of(Values expected, Values actual, Criteria criteria) {
        ArrayScan.Type type = typeOf(expected.type());
        Closeness.Within within = within(criteria.tolerance().closeness(), expected.type());
        boolean apply = criteria.limit() == null && criteria.thirdParty() == null && !criteria.needsSums();
        ByteBuffer wanted = expected.memory();
        ByteBuffer found = actual.memory();
        if (type == null
                || within == null
                || !apply
                || !wanted.isDirect()
                || !found.isDirect()
                || !ArrayScan.isAvailable()) {
            return Optional.empty();
        }
        ArrayScan scan = new ArrayScan(
                type,
                wanted,
                found,
                within.rtol(),
                within.atol(),
                within.floor(),
                criteria.tolerance().nanEqualsNan());
        return Optional.of(new Scans(scan, expected.count(), criteria.allowedMismatches(expected.count())));
    }

    private static ArrayScan.@Nullable Type typeOf(DType type) {
        return switch (type) {
            case FLOAT64 -> ArrayScan.Type.FLOAT64;
            case FLOAT32 -> ArrayScan.Type.FLOAT32;
            case FLOAT16 -> ArrayScan.Type.FLOAT16;
            case BFLOAT16 -> ArrayScan.Type.BFLOAT16;
            case INT8 -> ArrayScan.Type.INT8;
            case UINT8 -> ArrayScan.Type.UINT8;
            case INT16 -> ArrayScan.Type.INT16;
            case UINT16 -> ArrayScan.Type.UINT16;
            case INT32 -> ArrayScan.Type.INT32;
            case UINT32 -> ArrayScan.Type.UINT32;
            default -> null;
        };
    }

    private static Closeness.@Nullable Within within(Closeness closeness, DType type) {
        if (type.isFloating()) {
            return closeness instanceof Closeness.Within within ? within : null;
        }
        return new Closeness.Within(0, Extremes.unsignedToDouble(closeness.allowedSteps()), 0);
    }

    ArrayScan.Result result() {
        if (result == null) {
            result = scan.measure(allowed, indices, profile);
        }
        return result;
    }

    /** How errors are distributed if the output is wrong. */
    ArrayScan.Profile profile() {
        result();
        return profile;
    }

    ArrayScan.Specials specials() {
        return scan.specials();
    }

    boolean expects(int from, int to, double number, double reach) {
        return scan.expects(from, to, number, reach);
    }

    /** Empty if so few elements differ that a look at each costs less than one at all. */
    Optional<Boolean> explains(double factor, double offset) {
        return result().mismatches() <= indices.length ? Optional.empty() : Optional.of(scan.explains(factor, offset));
    }

    void forEachDifference(int first, IntPredicate goesOn) {
        int known = Math.min(result().mismatches(), indices.length);
        int found = Arrays.binarySearch(indices, 0, known, first);
        for (int n = found >= 0 ? found : -found - 1; n < known; n++) {
            if (!goesOn.test(indices[n])) {
                return;
            }
        }
        if (known < result().mismatches()) {
            list(Math.max(first, indices[known - 1] + 1), goesOn);
        }
    }

    private void list(int first, IntPredicate goesOn) {
        int[] next = new int[LISTED];
        int from = first;
        int listed;
        do {
            listed = scan.list(from, next);
            for (int n = 0; n < listed; n++) {
                if (!goesOn.test(next[n])) {
                    return;
                }
            }
            from = listed == 0 ? from : next[listed - 1] + 1;
        } while (listed == LISTED);
    }
}
