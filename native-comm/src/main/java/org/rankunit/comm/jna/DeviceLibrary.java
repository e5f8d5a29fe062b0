package org.rankunit.comm.jna;

import static org.apiguardian.api.API.Status.INTERNAL;

import com.sun.jna.Native;
import com.sun.jna.Pointer;
import java.nio.ByteBuffer;
import org.apiguardian.api.API;

/**
 * A platform's device functions. Methods that return {@code int} return a status of {@code device.h}; the text
 * of a failure is {@link #lastError()}, to be asked for on the same thread right after it.
 *
 * @since 0.1
 */
@API(status = INTERNAL, since = "0.1")
public final class DeviceLibrary {

    private static final DeviceLibrary SIMULATOR = new DeviceLibrary();

    private DeviceLibrary() {}

    /** Loads the library of {@code platform}, or throws {@link NativeLibraryException}. */
    public static DeviceLibrary of(String platform) {
        Backend.of(platform).library();
        return SIMULATOR;
    }

    /** Whether this version has a library for {@code platform}; loads none. */
    public static boolean supports(String platform) {
        return Backend.isKnown(platform);
    }

    /** The address of a direct buffer's first byte, for {@link #copyIn} and {@link #copyOut}. */
    public long addressOf(ByteBuffer directBuffer) {
        return Pointer.nativeValue(Native.getDirectBufferPointer(directBuffer));
    }

    public int open(int id, long[] deviceOut) {
        return DeviceFunctions.device_open(id, deviceOut);
    }

    public int close(long device) {
        return DeviceFunctions.device_close(device);
    }

    public int allocate(long device, long bytes, long[] addressOut) {
        return DeviceFunctions.device_malloc(device, bytes, addressOut);
    }

    public int free(long device, long address) {
        return DeviceFunctions.device_free(device, address);
    }

    public int zero(long device, long address, long bytes) {
        return DeviceFunctions.device_zero(device, address, bytes);
    }

    public int copyIn(long device, long targetAddress, long hostAddress, long bytes) {
        return DeviceFunctions.device_copy_in(device, targetAddress, hostAddress, bytes);
    }

    public int copyOut(long device, long hostAddress, long sourceAddress, long bytes) {
        return DeviceFunctions.device_copy_out(device, hostAddress, sourceAddress, bytes);
    }

    public int loadKernel(long device, String library, String symbol, long[] kernelOut) {
        return DeviceFunctions.device_load_kernel(device, library, symbol, kernelOut);
    }

    public int launch(long device, long kernel, long[] arguments) {
        return DeviceFunctions.device_launch(device, kernel, arguments, arguments.length);
    }

    public int synchronize(long device) {
        return DeviceFunctions.device_synchronize(device);
    }

    public String lastError() {
        return DeviceFunctions.device_last_error();
    }
}
