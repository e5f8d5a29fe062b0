package org.rankunit.comm.jna.load;

import static org.apiguardian.api.API.Status.INTERNAL;

import com.sun.jna.Native;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apiguardian.api.API;

/**
 * JNA's own native library, which the rest of JNA requires.
 *
 * @since 0.1
 */
@API(status = INTERNAL, since = "0.1")
public final class JnaLibrary {

    private static final String TEMPORARY = "jna.tmpdir";
    private static final String UNPACKED = "jna.boot.library.path";

    private static boolean loaded;

    private JnaLibrary() {}

    /**
     * Make JNA load it; does nothing if it is already loaded.
     *
     * @throws NativeLibraryException if it cannot be loaded
     */
    public static synchronized void load() {
        if (loaded) {
            return;
        }
        String temporary = System.getProperty("java.io.tmpdir", "/tmp");
        try {
            String unpacked = System.getProperty(UNPACKED);
            if (System.getProperty(TEMPORARY) != null) {
                initialize();
            } else if (unpacked != null) {
                initializeIn(Path.of(unpacked));
            } else {
                unpackAndInitialize();
            }
            loaded = true;
        } catch (LinkageError e) {
            String why = e instanceof UnsatisfiedLinkError ? e.getMessage() : e.toString();
            throw new NativeLibraryException(
                    "JNA's native library cannot be loaded: " + why
                            + NoexecFolder.note(Path.of(System.getProperty(UNPACKED, temporary))),
                    e);
        } catch (IOException e) {
            throw new NativeLibraryException("JNA's native library cannot be unpacked in " + temporary + ": " + e, e);
        }
    }

    private static void initialize() {
        // Reading this constant requires JNA's native library.
        int unused = Native.POINTER_SIZE;
    }

    /**
     * By itself, JNA unpacks the library below the user's home, into a folder and a file with the user's umask. If the
     * group may write there, it could replace the code that is about to be loaded.
     */
    private static void unpackAndInitialize() throws IOException {
        Path folder = Files.createTempDirectory("rankunit-jna-");
        try {
            initializeIn(folder);
        } finally {
            // JNA has deleted the file.
            Files.deleteIfExists(folder);
        }
    }

    /** JNA creates its folder in the home even if it has nothing to unpack, unless it is given another one. */
    private static void initializeIn(Path folder) {
        System.setProperty(TEMPORARY, folder.toString());
        try {
            initialize();
        } finally {
            resetFolder();
        }
    }

    /**
     * Let other users of JNA in this JVM unpack where they always did. But if Java reports the home as "?", JNA would
     * create a folder of that name in the working directory.
     */
    private static void resetFolder() {
        boolean hasHome = Path.of(System.getProperty("user.home", "")).isAbsolute();
        String cache = System.getenv("XDG_CACHE_HOME");
        if (hasHome || (cache != null && !cache.isBlank())) {
            System.clearProperty(TEMPORARY);
        } else {
            System.setProperty(TEMPORARY, System.getProperty("java.io.tmpdir", "/tmp"));
        }
    }
}
