package org.rankunit.golden.compare;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.rankunit.DType;
import org.rankunit.Values;
import org.rankunit.compare.FloatScan;

/** Native code for comparisons that it can make: with the same results, faster. */
final class Scans {

    private static final int LISTED = 1024;

    private Scans() {}

    /** The native code for this comparison; empty if it is a small one, or one that only Java can make. */
    static Optional<FloatScan> of(Values expected, Values actual, Criteria criteria) {
        FloatScan.Type type = typeOf(expected.type());
        boolean apply = criteria.tolerance().closeness() instanceof Closeness.Within
                && criteria.limit() == null
                && criteria.thirdParty() == null
                && !criteria.needsSums();
        ByteBuffer wanted = expected.memory();
        ByteBuffer found = actual.memory();
        if (type == null || !apply || !wanted.isDirect() || !found.isDirect() || !FloatScan.isAvailable()) {
            return Optional.empty();
        }
        Closeness.Within within = (Closeness.Within) criteria.tolerance().closeness();
        return Optional.of(new FloatScan(
                type,
                wanted,
                found,
                within.rtol(),
                within.atol(),
                within.floor(),
                criteria.tolerance().nanEqualsNan()));
    }

    private static FloatScan.@Nullable Type typeOf(DType type) {
        return switch (type) {
            case FLOAT32 -> FloatScan.Type.FLOAT32;
            case FLOAT16 -> FloatScan.Type.FLOAT16;
            case BFLOAT16 -> FloatScan.Type.BFLOAT16;
            default -> null;
        };
    }

    static void forEachDifference(FloatScan scan, int first, IntPredicate goesOn) {
        int[] indices = new int[LISTED];
        int from = first;
        int listed;
        do {
            listed = scan.list(from, indices);
            for (int n = 0; n < listed; n++) {
                if (!goesOn.test(indices[n])) {
                    return;
                }
            }
            from = listed == 0 ? from : indices[listed - 1] + 1;
        } while (listed == LISTED);
    }
}
