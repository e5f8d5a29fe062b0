package org.rankunit.distributed.pe;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Locale;
import org.apiguardian.api.API;

/**
 * Where data lies.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public enum MemorySpace {
    /** The fast memory of one processing element; results of operations lie here. */
    TCM,
    /** The large memory of one processing element; tensors lie here. */
    HBM,
    /** The memory that the processing elements of a cube share. */
    SRAM;

    /** The name in files: {@code tcm}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
