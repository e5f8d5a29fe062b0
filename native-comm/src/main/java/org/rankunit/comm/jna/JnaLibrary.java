package org.rankunit.comm.jna;

import com.sun.jna.Native;
import java.nio.file.Path;

/** JNA's own native library, without which nothing else of it works. */
final class JnaLibrary {

    private static final String TEMPORARY = "jna.tmpdir";

    private JnaLibrary() {}

    /**
     * Have JNA load it; does nothing when it is there.
     *
     * @throws NativeLibraryException if it cannot be loaded
     */
    static void load() {
        avoidFolderOfNobody();
        try {
            // What is not known before JNA's native library says it.
            int unused = Native.POINTER_SIZE;
        } catch (LinkageError e) {
            String folder = System.getProperty("jna.boot.library.path", System.getProperty("java.io.tmpdir"));
            String why = e instanceof UnsatisfiedLinkError ? e.getMessage() : e.toString();
            throw new NativeLibraryException(
                    "JNA's native library cannot be loaded: " + why + NoexecFolder.note(Path.of(folder)), e);
        }
    }

    /** JNA unpacks it into the user's home; a home that Java calls "?" would be a folder of that name where we are. */
    private static void avoidFolderOfNobody() {
        boolean hasHome = Path.of(System.getProperty("user.home", "")).isAbsolute();
        String cache = System.getenv("XDG_CACHE_HOME");
        boolean hasCache = cache != null && !cache.isBlank();
        if (!hasHome && !hasCache && System.getProperty(TEMPORARY) == null) {
            System.setProperty(TEMPORARY, System.getProperty("java.io.tmpdir", "/tmp"));
        }
    }
}
