package org.rankunit.distributed.pe.tensor;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;
import org.rankunit.DType;
import org.rankunit.Values;
import org.rankunit.distributed.pe.machine.WorldPlacement;

/**
 * A matrix whose columns lie at processing elements, in their HBM. Kernels see the part of their own processing element; the host
 * writes and reads it whole.
 *
 * <p>The host's accesses wait for the launches that were made before, so that a read sees final data. Where each SIP has a process of its
 * own, all processes call the same methods in the same order.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public interface DistributedTensor {

    DType type();

    int rows();

    int columns();

    /** Which processing element has which columns. */
    WorldPlacement placement();

    /** Columns of one processing element. */
    int columnsOfPart();

    /** All elements. */
    default int count() {
        return rows() * columns();
    }

    /**
     * Scatter an array: every processing element gets its columns.
     *
     * @param whole row by row
     * @throws IllegalArgumentException if it has another type or number of elements
     */
    void copyFrom(Values whole);

    /** Gather the tensor, row by row. Of columns that several processing elements have, those of the first one. */
    Values read();

    /**
     * Read the part of one processing element, row by row.
     *
     * @throws IllegalArgumentException if it is no rank, or not one of this process
     */
    Values readPart(int rank);
}
