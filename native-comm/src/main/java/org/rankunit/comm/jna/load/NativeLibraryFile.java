package org.rankunit.comm.jna.load;

import static org.apiguardian.api.API.Status.INTERNAL;

import com.sun.jna.FunctionMapper;
import com.sun.jna.Library;
import com.sun.jna.NativeLibrary;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.function.Function;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Loads a library from the class path, from the folder of this machine's type.
 *
 * <p>JNA's {@code NativeLibrary} runs {@code ldconfig} as a process when it is first used, unless the system property
 * {@code jna.platform.library.path} is set. Our libraries are found by their path, so a program that starts a rank may
 * set the property to any folder to save that time.
 *
 * @since 0.1
 */
@API(status = INTERNAL, since = "0.1")
public final class NativeLibraryFile {

    /** Methods that {@code BindFunctions} maps have the names of the original functions, not of the exported ones. */
    private static final FunctionMapper EXPORTED = (library, method) -> "bind_" + method.getName();

    private static final Map<String, Object> OPTIONS =
            Map.of(Library.OPTION_STRING_ENCODING, "UTF-8", Library.OPTION_FUNCTION_MAPPER, EXPORTED);

    private NativeLibraryFile() {}

    /** Loads one of our libraries; the file passed to {@code opener} may be deleted after it returns. */
    public static <T> T load(String name, Function<Path, T> opener) {
        Path unpacked = UnpackedLibraries.find(name);
        if (unpacked != null) {
            return opener.apply(unpacked);
        }
        return load(name, MachineType.resourcePrefix(), NativeLibraryFile.class.getClassLoader(), opener);
    }

    static <T> T load(String name, String prefix, @Nullable ClassLoader loader, Function<Path, T> opener) {
        String resource = prefix + "/lib" + name + ".so";
        URL url = loader == null ? ClassLoader.getSystemResource(resource) : loader.getResource(resource);
        if (url == null) {
            throw new NativeLibraryException("there is no " + resource + " on the class path. It is part of the"
                    + " rankunit-native-comm jar if that was built on such a machine;"
                    + " supported are linux-x86-64 and linux-aarch64");
        }
        try {
            return url.getProtocol().equals("file") ? opener.apply(Path.of(url.toURI())) : openCopy(name, url, opener);
        } catch (IOException | URISyntaxException e) {
            throw new NativeLibraryException(url + " cannot be read", e);
        }
    }

    /**
     * Opens a temporary copy, since the loader of the operating system cannot read from a jar, and deletes it
     * afterwards.
     */
    private static <T> T openCopy(String name, URL url, Function<Path, T> opener) throws IOException {
        Path copy = Files.createTempFile("rankunit-" + name, ".so");
        try (InputStream in = url.openStream()) {
            Files.copy(in, copy, StandardCopyOption.REPLACE_EXISTING);
            return opener.apply(copy);
        } finally {
            // A loaded library stays readable for this process after its name is deleted.
            Files.deleteIfExists(copy);
        }
    }

    /** An opener for libraries that JNA maps. */
    public static NativeLibrary open(Path file) {
        try {
            return NativeLibrary.getInstance(file.toString(), OPTIONS);
        } catch (UnsatisfiedLinkError e) {
            Path folder = file.toAbsolutePath().getParent();
            throw new NativeLibraryException(
                    file + " cannot be loaded: " + e.getMessage() + NoexecFolder.note(folder == null ? file : folder),
                    e);
        }
    }
}
