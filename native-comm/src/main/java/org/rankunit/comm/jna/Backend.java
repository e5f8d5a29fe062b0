package org.rankunit.comm.jna;

import com.sun.jna.NativeLibrary;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The shared library behind a platform. */
final class Backend {

    static final Backend SIMULATOR = new Backend("rankunit_sim");

    private static final Map<String, Backend> BY_PLATFORM = Map.of("a2a3sim", SIMULATOR, "a5sim", SIMULATOR);

    private final String libraryName;

    private @Nullable NativeLibrary library;

    private Backend(String libraryName) {
        this.libraryName = libraryName;
    }

    static Backend of(String platform) {
        Backend backend = BY_PLATFORM.get(platform);
        if (backend == null) {
            throw new NativeLibraryException("no communication library for platform " + platform
                    + " is part of this version of RankUnit; known: "
                    + String.join(", ", new TreeSet<>(BY_PLATFORM.keySet())));
        }
        return backend;
    }

    static boolean isKnown(String platform) {
        return BY_PLATFORM.containsKey(platform);
    }

    /** The library, loaded when it is first asked for. It is never unloaded. */
    synchronized NativeLibrary library() {
        if (library == null) {
            library = NativeLibraryFile.load(libraryName);
        }
        return library;
    }
}
