package org.rankunit.engine.watch;

import java.util.List;
import java.util.OptionalLong;
import org.rankunit.engine.protocol.DeviceRef;

/**
 * What one group is doing at a moment.
 *
 * @param key distinguishes what it is doing from everything else that any group does in this run
 * @param title the class and the variant
 * @param what the test that runs, what it waits for, or empty
 * @param devices empty before it has any
 * @param ended the ranks that have ended the test and wait for the others
 * @param nanos for how long it has been doing this
 * @param usualNanos how long the test usually takes; empty if unknown
 * @param leftNanos how long the group is expected to go on; empty if unknown or over
 */
record GroupStatus(
        long key,
        String title,
        Stage stage,
        String what,
        int ranks,
        List<DeviceRef> devices,
        List<Integer> ended,
        long nanos,
        OptionalLong usualNanos,
        OptionalLong leftNanos) {

    /** What a group does in turn. */
    enum Stage {

        /** Other groups of this run use what it needs. */
        TURN,

        /** Its kernels are compiled, or it waits for devices. */
        DEVICES,

        /** Its ranks come up. */
        START,

        /** Its ranks run tests. */
        RUN
    }

    GroupStatus {
        devices = List.copyOf(devices);
        ended = List.copyOf(ended);
    }
}
