package org.rankunit.device;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;

/**
 * How a signal changes a cell of a semaphore (TNOTIFY).
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public enum SignalOperation {

    /** Replaces the value. A value that has not been waited for yet is lost. */
    SET(0),

    /** Adds to the value, atomically. */
    ADD(1);

    private final int number;

    SignalOperation(int number) {
        this.number = number;
    }

    /** Its number in {@code KernelSignal} of {@code kernel.h}. */
    int number() {
        return number;
    }
}
