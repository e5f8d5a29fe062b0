package org.rankunit.comm.jna;

import static org.apiguardian.api.API.Status.INTERNAL;

import org.apiguardian.api.API;

/**
 * A platform's communication functions. Methods that return {@code int} return a status of {@code comm.h}; the
 * text of a failure is {@link #lastError()}, to be asked for on the same thread right after it. Handles are not
 * checked: {@link NativeHandle} keeps them from being used when they are gone.
 *
 * @since 0.1
 */
@API(status = INTERNAL, since = "0.1")
public final class CommLibrary {

    private static final CommLibrary SIMULATOR = new CommLibrary();

    private CommLibrary() {}

    /** Loads the library of {@code platform}, or throws {@link NativeLibraryException}. */
    public static CommLibrary of(String platform) {
        // Here, not in the static initializer of CommFunctions, a failure keeps its text.
        Backend.of(platform).library();
        return SIMULATOR;
    }

    /** A handle, or 0. */
    public long init(int rank, int rankCount, String rootInfo) {
        return CommFunctions.comm_init(rank, rankCount, 0, rootInfo);
    }

    public int allocateWindows(long handle, long bytes, long[] contextOut) {
        return CommFunctions.comm_alloc_windows(handle, bytes, contextOut);
    }

    public int localWindowBase(long handle, long[] baseOut) {
        return CommFunctions.comm_get_local_window_base(handle, baseOut);
    }

    public int windowSize(long handle, long[] sizeOut) {
        return CommFunctions.comm_get_window_size(handle, sizeOut);
    }

    public int barrier(long handle) {
        return CommFunctions.comm_barrier(handle);
    }

    public int destroy(long handle) {
        return CommFunctions.comm_destroy(handle);
    }

    public int abort(long handle, int failedRank, String reason) {
        return CommFunctions.comm_abort(handle, failedRank, reason);
    }

    public int setTimeout(long handle, long milliseconds) {
        return CommFunctions.comm_set_timeout(handle, milliseconds);
    }

    /** The rank that is to blame for the abort, or -1. */
    public int abortedBy(long handle) {
        return CommFunctions.comm_aborted_by(handle);
    }

    public String lastError() {
        return CommFunctions.comm_last_error();
    }
}
