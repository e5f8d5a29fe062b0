package org.rankunit.device;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;
import static org.apiguardian.api.API.Status.INTERNAL;

import org.apiguardian.api.API;

/**
 * What a wait for a semaphore demands: that {@code cell COMPARISON value} holds.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public enum Comparison {
    EQ(0),
    NE(1),
    GT(2),
    GE(3),
    LT(4),
    LE(5);

    private final int number;

    Comparison(int number) {
        this.number = number;
    }

    /** Its number in {@code KernelCompare} of {@code kernel.h}. */
    @API(status = INTERNAL, since = "0.1")
    public int number() {
        return number;
    }
}
