package org.rankunit.comm.jna;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeSet;
import org.rankunit.comm.jna.load.NativeLibraryException;
import org.rankunit.comm.jna.load.NativeLibraryFile;

/** Our shared library that implements a platform's communicators and devices. */
final class Backend {

    /** Both library kinds of {@code bind.h}. */
    private static final int COMM_AND_DEVICE = 3;

    private static final int COMM = 1;

    /** The form of {@code comm_init} with a stream, from {@code bind.h}. */
    private static final int OUR_FORM = 1;

    private static final Backend SIMULATOR = new Backend("rankunit_sim");

    private static final Backend ASCEND = new Backend("rankunit_ascend");

    private static final Map<String, Backend> BY_PLATFORM =
            Map.of("a2a3sim", SIMULATOR, "a5sim", SIMULATOR, "a2a3", ASCEND, "a5", ASCEND);

    private final String name;

    private long library;

    private Backend(String name) {
        this.name = name;
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

    static boolean isSimulator(String platform) {
        return BY_PLATFORM.get(platform) == SIMULATOR;
    }

    /** The handle of the library, which is loaded on first use and never unloaded. */
    synchronized long library() {
        if (library == 0) {
            BindFunctions.load();
            library = NativeLibraryFile.load(name, file -> open(file, COMM_AND_DEVICE, OUR_FORM));
        }
        return library;
    }

    /** Loads a third-party communication library. */
    static long foreign(Path file, int commInitForm) {
        BindFunctions.load();
        return open(file, COMM, commInitForm);
    }

    private static long open(Path file, int kinds, int form) {
        long opened = BindFunctions.open(file.toString(), kinds, form);
        if (opened == 0) {
            throw new NativeLibraryException(BindFunctions.open_error());
        }
        return opened;
    }
}
