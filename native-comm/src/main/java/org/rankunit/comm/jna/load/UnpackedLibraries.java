package org.rankunit.comm.jna.load;

import static org.apiguardian.api.API.Status.INTERNAL;

import com.sun.jna.Native;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Unpacks native libraries once for many JVMs. Otherwise each JVM copies them out of their jars, which also loads all
 * the code for temporary files and their random names.
 *
 * @since 0.1
 */
@API(status = INTERNAL, since = "0.1")
public final class UnpackedLibraries {

    private static final String OURS = "org.rankunit.unpacked";
    private static final String OF_JNA = "jna.boot.library.path";
    private static final String[] NAMES = {"rankunit_bind", "rankunit_sim", "rankunit_ascend"};

    private UnpackedLibraries() {}

    /**
     * Copy JNA's library and ours into a folder.
     *
     * @return the system properties with which a JVM finds them there, without those for libraries that are not on the
     *     class path
     * @throws IOException if the folder cannot be written
     */
    public static Map<String, String> into(Path folder) throws IOException {
        String prefix = MachineType.resourcePrefix();
        Map<String, String> properties = new LinkedHashMap<>();
        if (copy(Native.class, "/com/sun/jna/" + prefix + "/libjnidispatch.so", folder.resolve("libjnidispatch.so"))) {
            properties.put(OF_JNA, folder.toString());
        }
        for (String name : NAMES) {
            if (copy(UnpackedLibraries.class, "/" + prefix + "/lib" + name + ".so", fileIn(folder, name))) {
                properties.put(OURS, folder.toString());
            }
        }
        return properties;
    }

    /** The file in which this JVM was configured to find a library, or {@code null}. */
    static @Nullable Path find(String name) {
        String folder = System.getProperty(OURS);
        if (folder == null) {
            return null;
        }
        Path file = fileIn(Path.of(folder), name);
        return Files.isRegularFile(file) ? file : null;
    }

    private static Path fileIn(Path folder, String name) {
        return folder.resolve("lib" + name + ".so");
    }

    private static boolean copy(Class<?> near, String resource, Path target) throws IOException {
        URL url = near.getResource(resource);
        if (url == null) {
            return false;
        }
        try (InputStream in = url.openStream()) {
            Files.copy(in, target);
        }
        return true;
    }
}
