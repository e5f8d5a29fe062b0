package org.rankunit.comm.jna;

import static org.apiguardian.api.API.Status.INTERNAL;

import org.apiguardian.api.API;

/**
 * The functions of {@code coll.h}, under their own names; everything said of {@link CommFunctions} holds for them too. Plans are
 * numbers.
 *
 * @since 0.1
 */
@API(status = INTERNAL, since = "0.1")
public final class CollFunctions {

    private CollFunctions() {}

    public static native int coll_plan_create(
            long comm,
            String call,
            long schedule,
            int type,
            int reduction,
            int memory,
            long[] tasks,
            long taskCount,
            String lines,
            int[] planOut);

    public static native int coll_plan_run(long comm, int plan, long input, long output);

    public static native int coll_plan_destroy(long comm, int plan);

    public static native int coll_vendor_run(
            long comm, int operation, long send, long recv, long count, int type, int reduction, int peerOrRoot);
}
