package org.rankunit.distributed;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;
import org.rankunit.DType;
import org.rankunit.Values;

/**
 * A row of elements that is divided among the members of a {@link ProcessGroup}: each has a part, all parts are of the same size.
 *
 * <p>The host's accesses see what the calls of the group before them have left. Where there are several processes, all of them call
 * the same methods in the same order.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public interface GroupTensor {

    DType type();

    /** Elements of a part. */
    int partCount();

    /**
     * Scatter an array: member r gets part r.
     *
     * @throws IllegalArgumentException if it has another type, or not as many elements as all parts
     */
    void copyFrom(Values whole);

    /** Gather all parts, in the order of the members. */
    Values read();
}
