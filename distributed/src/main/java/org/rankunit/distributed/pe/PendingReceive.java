package org.rankunit.distributed.pe;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;
import org.rankunit.DType;

/**
 * A message that a kernel has asked for and not yet waited for.
 *
 * @since 0.1
 * @see PeContext#recvAsync
 */
@API(status = EXPERIMENTAL, since = "0.1")
public interface PendingReceive {

    /** From where it comes. */
    Direction direction();

    DType type();

    int[] shape();
}
