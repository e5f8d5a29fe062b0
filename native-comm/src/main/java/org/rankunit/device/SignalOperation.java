package org.rankunit.device;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;

/**
 * How a signal changes a cell of a semaphore (TNOTIFY); the order of the constants is that of {@code KernelSignal} in
 * {@code kernel.h}.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public enum SignalOperation {

    /** Replaces the value. A value that nobody has waited for yet is lost. */
    SET,

    /** Adds to the value, atomically. */
    ADD
}
