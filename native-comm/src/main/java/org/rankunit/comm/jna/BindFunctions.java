package org.rankunit.comm.jna;

import static org.apiguardian.api.API.Status.INTERNAL;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.rankunit.comm.jna.load.JnaLibrary;
import org.rankunit.comm.jna.load.NativeLibraryFile;

/**
 * Maps the library that passes calls on to all backends, with direct calls that allocate nothing: its own functions
 * here, those of {@code functions.def} in {@link CommFunctions}, {@link CollFunctions}, {@link DeviceFunctions}, {@link StreamFunctions} and {@link GraphFunctions}, and those of {@code bind_compare.h} in {@link CompareFunctions}. The library exports each
 * method under its name with the prefix {@code bind_}. Handles and sizes are {@code long}, since the supported machines
 * have 64 bits; JNA passes such arguments without conversion. No text is passed on a hot path.
 *
 * @since 0.1
 */
@API(status = INTERNAL, since = "0.1")
public final class BindFunctions {

    /** {@code BIND_UNKNOWN_STATUS} of {@code bind.h}. */
    public static final int UNKNOWN_STATUS = -1;

    private static @Nullable NativeLibrary library;

    private BindFunctions() {}

    /** Bind the functions. Unlike in a static initializer, a failure here keeps its text. */
    static synchronized void load() {
        if (library == null) {
            JnaLibrary.load();
            NativeLibrary loaded = NativeLibraryFile.load("rankunit_bind", NativeLibraryFile::open);
            Native.register(BindFunctions.class, loaded);
            Native.register(CommFunctions.class, loaded);
            Native.register(CollFunctions.class, loaded);
            Native.register(DeviceFunctions.class, loaded);
            Native.register(StreamFunctions.class, loaded);
            Native.register(GraphFunctions.class, loaded);
            Native.register(CompareFunctions.class, loaded);
            library = loaded;
        }
    }

    static native long open(String path, int kinds, int commInitForm);

    static native String open_error();

    static native int has(long library, String function);

    public static native int record_known_place(long device);

    /** To be called by the same method as the other one, since both see the stack of the calling thread from its caller on. */
    public static native void learn_place(int frames, byte @Nullable [] place);
}
