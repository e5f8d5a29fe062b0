package org.rankunit.comm.jna;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import org.jspecify.annotations.Nullable;

/**
 * Maps the library that passes calls on to all backends, by direct calls that allocate nothing: its own functions here, those
 * of {@code functions.def} in {@link CommFunctions} and {@link DeviceFunctions}. The library exports each method by its name
 * with {@code bind_} before it. Handles and sizes are {@code long}, as the supported machines have 64 bits; JNA passes such
 * arguments without conversion. No text is passed on a hot way.
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
            Native.register(CommFunctions.class, loaded);
            Native.register(DeviceFunctions.class, loaded);
            library = loaded;
        }
    }

    static native long open(String path, int kinds, int commInitForm);

    static native String open_error();

    static native int has(long library, String function);
}
