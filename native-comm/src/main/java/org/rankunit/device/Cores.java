package org.rankunit.device;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;
import static org.apiguardian.api.API.Status.INTERNAL;

import org.apiguardian.api.API;

/**
 * The cores that run a block of a kernel.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public enum Cores {

    /** One vector core (AIV). */
    VECTOR(0),

    /** One cube core (AIC). */
    CUBE(1),

    /** One cube core and two vector cores, which run at the same time. */
    MIXED(2);

    private final int number;

    Cores(int number) {
        this.number = number;
    }

    /** Its number in {@code StreamCores} of {@code stream.h}. */
    @API(status = INTERNAL, since = "0.1")
    public int number() {
        return number;
    }
}
