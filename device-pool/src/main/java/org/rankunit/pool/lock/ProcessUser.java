package org.rankunit.pool.lock;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apiguardian.api.API;

/**
 * The user that this process runs as. In a container it may have an id but no name ({@code docker run -u 12345}).
 *
 * @since 0.1
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ProcessUser {

    private static final Path STATUS = Path.of("/proc/self/status");

    private ProcessUser() {}

    /** The user id for file system access: the owner of the files this process creates. */
    public static int id() {
        return Id.VALUE;
    }

    /** The user's name, or the user id if the user has no name. */
    public static String name() {
        String name = System.getProperty("user.name", "");
        return name.isBlank() || name.equals("?") ? Integer.toString(id()) : name;
    }

    /** The same in a form that is safe in file names. */
    public static String nameInFiles() {
        return name().replaceAll("[^A-Za-z0-9._-]", "_");
    }

    /** Read on first use, so that on a machine without /proc that use fails with a clear message. */
    private static final class Id {

        static final int VALUE = read();

        /** The line holds the real, effective, saved and file system user ids; this reads the last. */
        private static int read() {
            try {
                return Files.readAllLines(STATUS).stream()
                        .filter(line -> line.startsWith("Uid:"))
                        .map(line -> Integer.parseUnsignedInt(line.strip().replaceAll(".*\\s", "")))
                        .findFirst()
                        .orElseThrow(() -> new IOException("it has no line \"Uid:\""));
            } catch (IOException e) {
                throw new UncheckedIOException("cannot tell from " + STATUS + " who this process runs as", e);
            }
        }
    }
}
