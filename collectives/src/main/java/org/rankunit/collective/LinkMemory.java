package org.rankunit.collective;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;
import org.rankunit.collective.call.MemoryMode;

/**
 * Which memory of the rank at the other end a {@link Link} reaches. In HCCL, the memory types of a link's input and output.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public enum LinkMemory {
    /** CCL_In and CCL_Out of the communicator. */
    CCL,
    /** Memory that is reserved for the collective, here in windows: the caller's buffers as well. */
    RESERVED;

    /** The memory that links reach in a mode. */
    public static LinkMemory of(MemoryMode mode) {
        return mode == MemoryMode.SINGLE_OPERATOR ? CCL : RESERVED;
    }
}
