package org.rankunit.comm.jna;

import com.sun.jna.Native;

/** The functions of {@code rankunit/device.h}, under their own names; types as in {@link CommFunctions}. */
final class DeviceFunctions {

    static {
        Native.register(DeviceFunctions.class, Backend.SIMULATOR.library());
    }

    private DeviceFunctions() {}

    static native int device_open(int id, long[] deviceOut);

    static native int device_close(long device);

    static native int device_malloc(long device, long bytes, long[] addressOut);

    static native int device_free(long device, long address);

    static native int device_zero(long device, long address, long bytes);

    static native int device_copy_in(long device, long targetAddress, long sourceAddress, long bytes);

    static native int device_copy_out(long device, long targetAddress, long sourceAddress, long bytes);

    static native int device_load_kernel(long device, String libraryPath, String symbol, long[] kernelOut);

    static native int device_launch(long device, long kernel, long[] arguments, int argumentCount);

    static native int device_synchronize(long device);

    static native String device_last_error();
}
