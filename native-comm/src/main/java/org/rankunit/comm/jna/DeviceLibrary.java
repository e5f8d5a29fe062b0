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

    private final long library;

    private DeviceLibrary(long library) {
        this.library = library;
    }

    /** Loads the library of {@code platform}, or throws {@link NativeLibraryException}. */
    public static DeviceLibrary of(String platform) {
        return new DeviceLibrary(Backend.of(platform).library());
    }

    long handle() {
        return library;
    }

    /** The address of a direct buffer's first byte, for {@link #copyIn} and {@link #copyOut}. */
    public long addressOf(ByteBuffer directBuffer) {
        return Pointer.nativeValue(Native.getDirectBufferPointer(directBuffer));
    }

    public int open(int id, long[] deviceOut) {
        return BindFunctions.bind_device_open(library, id, deviceOut);
    }

    public int close(long device) {
        return BindFunctions.bind_device_close(device);
    }

    public int allocate(long device, long bytes, long[] addressOut) {
        return BindFunctions.bind_device_malloc(device, bytes, addressOut);
    }

    public int free(long device, long address) {
        return BindFunctions.bind_device_free(device, address);
    }

    public int zero(long device, long address, long bytes) {
        return BindFunctions.bind_device_zero(device, address, bytes);
    }

    public int copyIn(long device, long targetAddress, long hostAddress, long bytes) {
        return BindFunctions.bind_device_copy_in(device, targetAddress, hostAddress, bytes);
    }

    public int copyOut(long device, long hostAddress, long sourceAddress, long bytes) {
        return BindFunctions.bind_device_copy_out(device, hostAddress, sourceAddress, bytes);
    }

    public int copy(long device, long targetAddress, long sourceAddress, long bytes) {
        return BindFunctions.bind_device_copy(device, targetAddress, sourceAddress, bytes);
    }

    public int adopt(long device, long address, long bytes) {
        return BindFunctions.bind_device_adopt(device, address, bytes);
    }

    public int disown(long device, long address) {
        return BindFunctions.bind_device_disown(device, address);
    }

    public int stream(long device, long[] streamOut) {
        return BindFunctions.bind_device_stream(device, streamOut);
    }

    /** Stores what the device is in {@code textOut[0]}. */
    public int describe(long device, String[] textOut) {
        byte[] text = new byte[NativeText.LONGEST];
        int status = BindFunctions.bind_device_describe(device, text, text.length);
        textOut[0] = NativeText.of(text);
        return status;
    }

    public int loadKernel(long device, String file, String symbol, long[] kernelOut) {
        return BindFunctions.bind_device_load_kernel(device, file, symbol, kernelOut);
    }

    public int launch(long device, long kernel, long[] arguments) {
        return BindFunctions.bind_device_launch(device, kernel, arguments, arguments.length);
    }

    public int synchronize(long device) {
        return BindFunctions.bind_device_synchronize(device);
    }

    public String lastError() {
        return BindFunctions.bind_device_last_error(library);
    }
}
