package org.rankunit.comm.jna;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import org.jspecify.annotations.Nullable;

/**
 * The functions of {@code bind.h}, under their own names: the one mapping for all backends, by direct calls that allocate
 * nothing. Handles and sizes are {@code long}, as the supported machines have 64 bits; JNA passes such arguments without
 * conversion. No text is passed on a hot way.
 */
final class BindFunctions {

    private static @Nullable NativeLibrary library;

    private BindFunctions() {}

    /** Bind them. Here, not in a static initializer, a failure keeps its text. */
    static synchronized void load() {
        if (library == null) {
            JnaLibrary.load();
            NativeLibrary loaded = NativeLibraryFile.load("rankunit_bind", NativeLibraryFile::open);
            Native.register(BindFunctions.class, loaded);
            library = loaded;
        }
    }

    static native long bind_open(String path, int kinds, int commInitForm);

    static native String bind_open_error();

    static native int bind_has(long library, String function);

    static native long bind_comm_init(
            long library, int rank, int nranks, int deviceId, long stream, String rootInfoPath);

    static native int bind_comm_root_info(long comm, byte[] textOut, long capacity);

    static native int bind_comm_join(long comm, String rootInfo);

    static native int bind_comm_alloc_windows(long comm, long windowBytes, long[] contextOut);

    static native int bind_comm_get_local_window_base(long comm, long[] baseOut);

    static native int bind_comm_get_window_size(long comm, long[] sizeOut);

    static native int bind_comm_barrier(long comm);

    static native int bind_comm_destroy(long comm);

    static native int bind_comm_derive_context(
            long comm, int[] ranks, long rankCount, int domainRank, long offset, long size, long[] contextOut);

    static native int bind_comm_alloc_domain_windows(
            long comm,
            long id,
            int[] ranks,
            long rankCount,
            int domainRank,
            long size,
            long[] contextOut,
            long[] baseOut);

    static native int bind_comm_release_domain_windows(long comm, long id, long rankCount, int domainRank);

    static native int bind_comm_domain_barrier(long comm, long id);

    static native int bind_comm_abort(long comm, int failedRank, String reason);

    static native int bind_comm_set_timeout(long comm, long milliseconds);

    static native int bind_comm_aborted_by(long comm);

    static native int bind_comm_describe(long comm, byte[] textOut, long capacity);

    static native String bind_comm_last_error(long library);

    static native int bind_device_open(long library, int id, long[] deviceOut);

    static native int bind_device_close(long device);

    static native int bind_device_malloc(long device, long bytes, long[] addressOut);

    static native int bind_device_free(long device, long address);

    static native int bind_device_zero(long device, long address, long bytes);

    static native int bind_device_copy_in(long device, long targetAddress, long sourceAddress, long bytes);

    static native int bind_device_copy_out(long device, long targetAddress, long sourceAddress, long bytes);

    static native int bind_device_copy(long device, long targetAddress, long sourceAddress, long bytes);

    static native int bind_device_adopt(long device, long address, long bytes);

    static native int bind_device_disown(long device, long address);

    static native int bind_device_stream(long device, long[] streamOut);

    static native int bind_device_load_kernel(long device, String libraryPath, String symbol, long[] kernelOut);

    static native int bind_device_launch(long device, long kernel, long[] arguments, int argumentCount);

    static native int bind_device_synchronize(long device);

    static native int bind_device_describe(long device, byte[] textOut, long capacity);

    static native String bind_device_last_error(long library);
}
