package org.rankunit.comm.jna;

import static org.apiguardian.api.API.Status.INTERNAL;

import com.sun.jna.Native;
import com.sun.jna.Pointer;
import java.nio.ByteBuffer;
import org.apiguardian.api.API;
import org.rankunit.comm.jna.load.NativeLibraryException;

/**
 * A loaded library of a platform. {@link DeviceFunctions} has the functions for its devices; methods here that return
 * {@code int} return a status in the same way.
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

    /** Whether the devices of {@code platform} are simulated; {@code false} for a name of no platform. */
    public static boolean isSimulator(String platform) {
        return Backend.isSimulator(platform);
    }

    long handle() {
        return library;
    }

    /** Whether both are one library of this process. */
    public boolean isSameAs(DeviceLibrary other) {
        return library == other.library;
    }

    /** The address of a direct buffer's first byte, for copies to and from a device. */
    public static long addressOf(ByteBuffer directBuffer) {
        return Pointer.nativeValue(Native.getDirectBufferPointer(directBuffer));
    }

    public int open(int id, long[] deviceOut) {
        return DeviceFunctions.device_open(library, id, deviceOut);
    }

    /** Stores a description of the device in {@code textOut[0]}. */
    public int describe(long device, String[] textOut) {
        byte[] text = new byte[NativeText.LONGEST];
        int status = DeviceFunctions.device_describe(device, text, text.length);
        textOut[0] = NativeText.of(text);
        return status;
    }

    /** The text of the last failure on this thread. */
    public String lastError() {
        return DeviceFunctions.device_last_error(library);
    }
}
