package org.rankunit.comm.jna;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.nio.file.Path;
import org.apiguardian.api.API;

/**
 * A library's communication functions. Methods that return {@code int} return a status of {@code comm.h}; the
 * text of a failure is {@link #lastError()}, to be asked for on the same thread right after it. Handles are not
 * checked: {@link NativeHandle} keeps them from being used when they are gone.
 *
 * @since 0.1
 */
@API(status = INTERNAL, since = "0.1")
public final class CommLibrary {

    /** What {@link #init} is given for a path where ranks meet by {@link #rootInfo} and {@link #join}. */
    public static final String BY_JOIN = "join:";

    private static final int MAX_ROOT_INFO = 512;

    private final long library;

    private CommLibrary(long library) {
        this.library = library;
    }

    /** Loads the library of {@code platform}, or throws {@link NativeLibraryException}. */
    public static CommLibrary of(String platform) {
        return new CommLibrary(Backend.of(platform).library());
    }

    /**
     * Loads somebody else's library, or throws {@link NativeLibraryException}, which names all that it lacks.
     *
     * @param commInitForm a {@code CommInitForm} of {@code bind.h}
     */
    public static CommLibrary at(Path file, int commInitForm) {
        return new CommLibrary(Backend.foreign(file, commInitForm));
    }

    /** Whether the library has that function of {@code comm.h}. */
    public boolean has(String function) {
        return BindFunctions.bind_has(library, function) != 0;
    }

    /** Whether devices of {@code other} know the windows of this library by themselves. */
    public boolean isOf(DeviceLibrary other) {
        return library == other.handle();
    }

    /** A handle, or 0. */
    public long init(int rank, int rankCount, int deviceId, long stream, String rootInfo) {
        return BindFunctions.bind_comm_init(library, rank, rankCount, deviceId, stream, rootInfo);
    }

    /** Stores what other ranks are to {@link #join} by in {@code textOut[0]}. */
    public int rootInfo(long handle, String[] textOut) {
        byte[] text = new byte[MAX_ROOT_INFO];
        int status = BindFunctions.bind_comm_root_info(handle, text, text.length);
        textOut[0] = NativeText.of(text);
        return status;
    }

    /** Stores how the windows were made in {@code textOut[0]}. */
    public int describe(long handle, String[] textOut) {
        byte[] text = new byte[NativeText.LONGEST];
        int status = BindFunctions.bind_comm_describe(handle, text, text.length);
        textOut[0] = NativeText.of(text);
        return status;
    }

    public int join(long handle, String rootInfo) {
        return BindFunctions.bind_comm_join(handle, rootInfo);
    }

    public int allocateWindows(long handle, long bytes, long[] contextOut) {
        return BindFunctions.bind_comm_alloc_windows(handle, bytes, contextOut);
    }

    public int localWindowBase(long handle, long[] baseOut) {
        return BindFunctions.bind_comm_get_local_window_base(handle, baseOut);
    }

    public int windowSize(long handle, long[] sizeOut) {
        return BindFunctions.bind_comm_get_window_size(handle, sizeOut);
    }

    public int barrier(long handle) {
        return BindFunctions.bind_comm_barrier(handle);
    }

    public int destroy(long handle) {
        return BindFunctions.bind_comm_destroy(handle);
    }

    public int derive(long handle, int[] ranks, int place, long offset, long bytes, long[] contextOut) {
        return BindFunctions.bind_comm_derive_context(handle, ranks, ranks.length, place, offset, bytes, contextOut);
    }

    public int allocateDomain(
            long handle, long id, int[] ranks, int place, long bytes, long[] contextOut, long[] baseOut) {
        return BindFunctions.bind_comm_alloc_domain_windows(
                handle, id, ranks, ranks.length, place, bytes, contextOut, baseOut);
    }

    public int releaseDomain(long handle, long id, int rankCount, int place) {
        return BindFunctions.bind_comm_release_domain_windows(handle, id, rankCount, place);
    }

    public int domainBarrier(long handle, long id) {
        return BindFunctions.bind_comm_domain_barrier(handle, id);
    }

    public int abort(long handle, int failedRank, String reason) {
        return BindFunctions.bind_comm_abort(handle, failedRank, reason);
    }

    public int setTimeout(long handle, long milliseconds) {
        return BindFunctions.bind_comm_set_timeout(handle, milliseconds);
    }

    /** The rank that is to blame for the abort, or -1. */
    public int abortedBy(long handle) {
        return BindFunctions.bind_comm_aborted_by(handle);
    }

    public String lastError() {
        return BindFunctions.bind_comm_last_error(library);
    }
}
