package org.rankunit.device.running;

import static org.apiguardian.api.API.Status.INTERNAL;

import org.apiguardian.api.API;

/**
 * A kernel, or an orchestration function, that a thread runs.
 *
 * @param slot where it is in the file
 * @param thread the number of the thread in the system
 * @param name of the kernel
 * @param where it runs, for people: {@code stream 1, work 2, RingTest.java:41, block 3 of 8 on vector core 3}; empty if the
 *     host runs it and its line is not known
 * @param waits whether it waits for what others do
 * @param beganNanos when it began, as {@link System#nanoTime()}, later by the time that it has waited
 * @param polledNanos when it last looked in vain at what others do; 0 for never
 * @since 0.1
 */
@API(status = INTERNAL, since = "0.1")
public record RunningKernel(
        int slot, int thread, String name, String where, boolean waits, long beganNanos, long polledNanos) {

    /** Names it for people: {@code kernel 'scale' (stream 1, work 2, RingTest.java:41)}. */
    public String describe() {
        return "kernel '" + name + "'" + (where.isEmpty() ? "" : " (" + where + ")");
    }
}
