package org.rankunit.comm.jna;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.nio.file.Path;
import org.apiguardian.api.API;
import org.rankunit.comm.jna.load.NativeLibraryException;

/**
 * A loaded communication library. {@link CommFunctions} has the functions for its communicators; methods here that
 * return {@code int} return a status in the same way.
 *
 * @since 0.1
 */
@API(status = INTERNAL, since = "0.1")
public final class CommLibrary {

    /**
     * Passed to {@link #init} instead of a path if ranks meet through {@link #rootInfo} and
     * {@link CommFunctions#comm_join}.
     */
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
     * Loads a third-party library, or throws {@link NativeLibraryException}, which names everything that the library
     * lacks.
     *
     * @param commInitForm a {@code CommInitForm} of {@code bind.h}
     */
    public static CommLibrary at(Path file, int commInitForm) {
        return new CommLibrary(Backend.foreign(file, commInitForm));
    }

    /** Whether the library has this function of {@code comm.h}. */
    public boolean has(String function) {
        return BindFunctions.has(library, function) != 0;
    }

    /** Whether {@code other} is the same library, so that its devices know the windows of this one. */
    public boolean isOf(DeviceLibrary other) {
        return library == other.handle();
    }

    /** Returns a handle, or 0 on failure. */
    public long init(int rank, int worldSize, int deviceId, long stream, String rootInfo) {
        return CommFunctions.comm_init(library, rank, worldSize, deviceId, stream, rootInfo);
    }

    /** Stores the text with which the other ranks join in {@code textOut[0]}. */
    public int rootInfo(long handle, String[] textOut) {
        byte[] text = new byte[MAX_ROOT_INFO];
        int status = CommFunctions.comm_root_info(handle, text, text.length);
        textOut[0] = NativeText.of(text);
        return status;
    }

    /** Stores a description of how the windows were made in {@code textOut[0]}. */
    public int describe(long handle, String[] textOut) {
        byte[] text = new byte[NativeText.LONGEST];
        int status = CommFunctions.comm_describe(handle, text, text.length);
        textOut[0] = NativeText.of(text);
        return status;
    }

    /** The text of the last failure on this thread. */
    public String lastError() {
        return CommFunctions.comm_last_error(library);
    }
}
