package org.rankunit.pool.lock;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apiguardian.api.API;

/**
 * The user that this process runs as. In a container it may have a number and no name ({@code docker run -u 12345}).
 *
 * @since 0.1
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ProcessUser {

    private static final Path STATUS = Path.of("/proc/self/status");

    private ProcessUser() {}

    /** The number that the file system knows this process by: the owner of the files it makes. */
    public static int id() {
        return Id.VALUE;
    }

    /** The user's name, or the number of one that has none. */
    public static String name() {
        String name = System.getProperty("user.name", "");
        return name.isBlank() || name.equals("?") ? Integer.toString(id()) : name;
    }

    /** The same as a part of a file's name. */
    public static String nameInFiles() {
        return name().replaceAll("[^A-Za-z0-9._-]", "_");
    }

    /** Read when it is first asked for, so that a machine without /proc fails there and with a text. */
    private static final class Id {

        static final int VALUE = read();

        /** The last number of the line: real, effective and saved id, and that for the file system. */
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
