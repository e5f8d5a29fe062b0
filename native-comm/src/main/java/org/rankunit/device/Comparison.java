package org.rankunit.device;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;

/**
 * What a wait for a semaphore demands: that {@code cell COMPARISON value} holds. The order of the constants is that of
 * {@code KernelCompare} in {@code kernel.h}.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public enum Comparison {
    EQ,
    NE,
    GT,
    GE,
    LT,
    LE
}
