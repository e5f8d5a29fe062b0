package org.rankunit.comm.jna;

import static org.apiguardian.api.API.Status.INTERNAL;

import org.apiguardian.api.API;

/**
 * The functions of {@code comm.h}, under their own names, with handles that identify their library;
 * {@code functions.def} lists them. A method that returns {@code int} returns a status of {@code comm.h}. For the text
 * of a failure, call {@link CommLibrary#lastError()} on the same thread right after it. Handles are not checked:
 * {@link NativeHandle} prevents their use after release.
 *
 * <p>Call these only after a {@link CommLibrary} has been loaded.
 *
 * @since 0.1
 */
@API(status = INTERNAL, since = "0.1")
public final class CommFunctions {

    private CommFunctions() {}

    public static native long comm_init(
            long library, int rank, int nranks, int deviceId, long stream, String rootInfoPath);

    public static native int comm_root_info(long comm, byte[] textOut, long capacity);

    public static native int comm_join(long comm, String rootInfo);

    public static native int comm_alloc_windows(long comm, long windowBytes, long[] contextOut);

    public static native int comm_get_local_window_base(long comm, long[] baseOut);

    public static native int comm_get_window_size(long comm, long[] sizeOut);

    public static native int comm_barrier(long comm);

    public static native int comm_destroy(long comm);

    public static native int comm_derive_context(
            long comm, int[] ranks, long worldSize, int domainRank, long offset, long size, long[] contextOut);

    public static native int comm_alloc_domain_windows(
            long comm,
            long id,
            int[] ranks,
            long worldSize,
            int domainRank,
            long size,
            long[] contextOut,
            long[] baseOut);

    public static native int comm_release_domain_windows(long comm, long id, long worldSize, int domainRank);

    public static native int comm_domain_barrier(long comm, long id);

    public static native int comm_abort(long comm, int failedRank, String reason);

    public static native int comm_set_timeout(long comm, long milliseconds);

    public static native int comm_aborted_by(long comm);

    public static native int comm_describe(long comm, byte[] textOut, long capacity);

    public static native String comm_last_error(long library);
}
