package org.rankunit.comm.jna.load;

import static org.apiguardian.api.API.Status.INTERNAL;

import com.sun.jna.Native;
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

    private JnaLibrary() {}

    /**
     * Make JNA load it; does nothing if it is already loaded.
     *
     * @throws NativeLibraryException if it cannot be loaded
     */
    public static void load() {
        avoidFolderOfNobody();
        try {
            // Reading this constant requires JNA's native library.
            int unused = Native.POINTER_SIZE;
        } catch (LinkageError e) {
            String folder = System.getProperty("jna.boot.library.path", System.getProperty("java.io.tmpdir"));
            String why = e instanceof UnsatisfiedLinkError ? e.getMessage() : e.toString();
            throw new NativeLibraryException(
                    "JNA's native library cannot be loaded: " + why + NoexecFolder.note(Path.of(folder)), e);
        }
    }

    /**
     * JNA unpacks the library into the user's home. If Java reports the home as "?", JNA would create a folder of that
     * name in the working directory.
     */
    private static void avoidFolderOfNobody() {
        boolean hasHome = Path.of(System.getProperty("user.home", "")).isAbsolute();
        String cache = System.getenv("XDG_CACHE_HOME");
        boolean hasCache = cache != null && !cache.isBlank();
        if (!hasHome && !hasCache && System.getProperty(TEMPORARY) == null) {
            System.setProperty(TEMPORARY, System.getProperty("java.io.tmpdir", "/tmp"));
        }
    }
}
