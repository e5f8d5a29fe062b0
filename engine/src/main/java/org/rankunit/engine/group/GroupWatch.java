package org.rankunit.engine.group;

import java.util.List;
import org.rankunit.engine.plan.GroupPlan;
import org.rankunit.engine.protocol.DeviceRef;

/**
 * Learns what becomes of the groups of a run and of their devices. Called when it happens, on the threads that do it. Groups are
 * numbered from 1. Times are {@link System#nanoTime()}.
 */
public interface GroupWatch {

    /** Devices were asked for since {@code asked}, and none became free in time, or will ever be; {@code why} says it to people. */
    void refused(GroupPlan plan, long asked, String why);

    /**
     * A new group, made for this plan, holds its devices from now on; they were asked for at {@code asked}.
     *
     * @param devices in a Slurm job these are slots of nodes; {@link #up} says which devices the ranks have got
     */
    void leased(int group, GroupPlan plan, List<DeviceRef> devices, long asked);

    /**
     * All ranks of a group are up.
     *
     * @param devices the device of each rank, as the rank itself says
     */
    void up(int group, List<DeviceRef> devices);

    /** A group runs the tests of a plan from now on. */
    void taken(int group, GroupPlan plan);

    /** A group runs no tests from now on. */
    void givenBack(int group);

    /**
     * A group has given its devices back.
     *
     * @param nanos how long it took to end it, or if it never came up, to find that out
     */
    void ended(int group, long nanos);
}
