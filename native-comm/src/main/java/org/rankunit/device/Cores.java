package org.rankunit.device;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;

/**
 * The cores that run a block of a kernel; the order of the constants is that of {@code StreamCores} in {@code stream.h}.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public enum Cores {

    /** One vector core (AIV). */
    VECTOR,

    /** One cube core (AIC). */
    CUBE,

    /** One cube core and two vector cores, which run at the same time. */
    MIXED
}
