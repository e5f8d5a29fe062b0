package org.rankunit.distributed;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;
import org.rankunit.collective.call.Reduction;

/**
 * How a {@link ProcessGroup} reduces, as {@code torch.distributed.ReduceOp}: a {@link Reduction}, or the average.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public enum ReduceOp {
    SUM(Reduction.SUM),
    PROD(Reduction.PROD),
    MAX(Reduction.MAX),
    MIN(Reduction.MIN),

    /**
     * The sum divided by the number of members, for floating types. The sum is that of {@link #SUM}, rounded and overflowing as
     * elements of its type do; the quotient is rounded once more, to nearest, ties to even. So an average of {@code float16} may be
     * infinite although it is not large, unlike that of NCCL, which divides first by the documentation of torch. Averages of integers
     * are refused, since they would have to be cut off.
     */
    AVG(Reduction.SUM);

    private final Reduction reduction;

    ReduceOp(Reduction reduction) {
        this.reduction = reduction;
    }

    /** Get what elements become one by; for the average, before the division. */
    Reduction reduction() {
        return reduction;
    }

    static ReduceOp of(Reduction reduction) {
        return valueOf(reduction.name());
    }
}
