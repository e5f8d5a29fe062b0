package org.rankunit.comm.jna;

import com.sun.jna.Native;

/**
 * The functions of {@code rankunit/comm.h}, under their own names. Handles and sizes are {@code long}, as the
 * supported machines have 64 bits; JNA passes such arguments without conversion.
 */
final class CommFunctions {

    static {
        Native.register(CommFunctions.class, Backend.SIMULATOR.library());
    }

    private CommFunctions() {}

    static native long comm_init(int rank, int nranks, long stream, String rootInfoPath);

    static native int comm_alloc_windows(long handle, long windowBytes, long[] contextOut);

    static native int comm_get_local_window_base(long handle, long[] baseOut);

    static native int comm_get_window_size(long handle, long[] sizeOut);

    static native int comm_barrier(long handle);

    static native int comm_destroy(long handle);

    static native int comm_abort(long handle, int failedRank, String reason);

    static native int comm_set_timeout(long handle, long milliseconds);

    static native int comm_aborted_by(long handle);

    static native String comm_last_error();
}
