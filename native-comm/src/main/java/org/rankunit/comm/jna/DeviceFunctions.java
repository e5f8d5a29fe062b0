package org.rankunit.comm.jna;

import static org.apiguardian.api.API.Status.INTERNAL;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The functions of {@code device.h}, under their own names, with handles that identify their library;
 * {@code functions.def} lists them. A method that returns {@code int} returns a status of {@code device.h}. For the
 * text of a failure, call {@link DeviceLibrary#lastError()} on the same thread right after it. Handles are not checked:
 * {@link NativeHandle} prevents their use after release.
 *
 * <p>Call these only after a {@link DeviceLibrary} has been loaded.
 *
 * @since 0.1
 */
@API(status = INTERNAL, since = "0.1")
public final class DeviceFunctions {

    private DeviceFunctions() {}

    public static native int device_open(long library, int id, long[] deviceOut);

    public static native int device_close(long device);

    public static native int device_malloc(long device, long bytes, long[] addressOut);

    public static native int device_free(long device, long address);

    public static native int device_zero(long device, long address, long bytes);

    public static native int device_copy_in(long device, long targetAddress, long sourceAddress, long bytes);

    public static native int device_copy_out(long device, long targetAddress, long sourceAddress, long bytes);

    public static native int device_copy(long device, long targetAddress, long sourceAddress, long bytes);

    public static native int device_adopt(long device, long address, long bytes);

    public static native int device_disown(long device, long address);

    public static native int device_stream(long device, long[] streamOut);

    public static native int device_load_kernel(long device, String libraryPath, String symbol, long[] kernelOut);

    public static native int device_launch(long device, long kernel, long[] arguments, int argumentCount);

    public static native int device_launch_on(
            long device, long kernel, long[] arguments, int argumentCount, int blocks, long stream);

    public static native int device_set_platform(long device, String platform);

    public static native int device_record(long device, String path, String orderPath, long capacity);

    public static native int device_note_running(long device, String path);

    public static native int device_code_of(long device, int thread, byte[] textOut, long capacity);

    public static native int device_record_mark(long device, int mark, byte[] text);

    public static native int device_record_name(long device, long address, long bytes, String name);

    public static native int device_record_place(long device, byte @Nullable [] place);

    public static native int device_record_actor(long device, int[] actorOut, long[] eventsOut);

    public static native int device_record_acquire(long device, int actor, long until);

    public static native int device_record_no_order(long device, byte[] why);

    public static native int device_record_memory(long device, String path, long mostBytes);

    public static native int device_leave_out(long device, String what);

    public static native int device_shake(long device, int strategy, long seed);

    public static native int device_shake_group(long device, String path, int rank, int nranks);

    public static native int device_shake_result(long device, String path, long[] countOut, long[] hashOut);

    public static native int device_synchronize(long device);

    public static native int device_set_timeout(long device, long milliseconds);

    public static native int device_settle(long device, long timeoutMs);

    public static native int device_abort(long device, String reason);

    public static native int device_activity(
            long device, int[] activityOut, long[] changesOut, byte[] textOut, long capacity);

    public static native int device_describe(long device, byte[] textOut, long capacity);

    public static native String device_last_error(long library);
}
