package org.rankunit.pool.lock;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * A small file next to a device's lock file with information about the device: lines of {@code name=text}.
 *
 * <p>Written and removed while the lock is held. It is written under another name first and then renamed, so readers
 * never see a partial record.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class RecordFile {

    private static final int LONGEST_TEXT = 500;
    private static final int LONGEST_FILE = 8 * 1024;

    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999Z");

    private final Path path;
    private final Path written;
    private final Sharing sharing;

    public RecordFile(Path path, Sharing sharing) {
        this.path = path;
        this.sharing = sharing;
        this.written = path.resolveSibling(path.getFileName() + ".new");
    }

    Path path() {
        return path;
    }

    public static byte[] encode(Map<String, String> values) {
        StringBuilder text = new StringBuilder();
        values.forEach((name, value) ->
                text.append(name).append('=').append(escaped(value)).append('\n'));
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    public void write(byte[] encoded) throws IOException {
        Uninterruptibly.access(() -> {
            try {
                writeNew(encoded);
            } catch (FileAlreadyExistsException leftByAKilledWriter) {
                Files.delete(written);
                writeNew(encoded);
            }
            return Files.move(written, path, StandardCopyOption.ATOMIC_MOVE);
        });
    }

    /** Writes only to a file that it creates: anything that already exists, such as a planted link, is not opened. */
    private void writeNew(byte[] encoded) throws IOException {
        try (SeekableByteChannel channel = Files.newByteChannel(
                written, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), sharing.ofFiles())) {
            sharing.widen(written);
            ByteBuffer bytes = ByteBuffer.wrap(encoded);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        }
    }

    public void delete() throws IOException {
        Files.deleteIfExists(path);
    }

    /**
     * The file's contents; empty if there is no file, it cannot be read, or it was created by a user who is not
     * trusted.
     */
    public Optional<Map<String, String>> read() {
        try {
            return Uninterruptibly.access(this::readText).map(RecordFile::decode);
        } catch (IOException unreadable) {
            return Optional.empty();
        }
    }

    private Optional<String> readText() throws IOException {
        if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS) || !sharing.trusts(path)) {
            return Optional.empty();
        }
        try (InputStream in = Files.newInputStream(path, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.of(new String(in.readNBytes(LONGEST_FILE), StandardCharsets.UTF_8));
        }
    }

    /**
     * Read a moment that a record has as text.
     *
     * @throws DateTimeException if it is none, or lies before 1970 or after the year 9999: {@link Instant} has moments
     *     that cannot be counted in milliseconds
     */
    public static Instant moment(String text) {
        return checked(Instant.parse(text));
    }

    /** The same for milliseconds since 1970. */
    public static Instant moment(long millis) {
        return checked(Instant.ofEpochMilli(millis));
    }

    private static Instant checked(Instant moment) {
        if (moment.isBefore(Instant.EPOCH) || moment.isAfter(LATEST)) {
            throw new DateTimeException(moment + " is not a time of a record");
        }
        return moment;
    }

    static Map<String, String> decode(String text) {
        Map<String, String> values = new HashMap<>();
        text.lines().forEach(line -> {
            int equals = line.indexOf('=');
            if (equals > 0) {
                values.put(line.substring(0, equals), unescaped(line.substring(equals + 1)));
            }
        });
        return values;
    }

    /** Truncated, with backslashes and line breaks escaped as in a properties file. */
    private static String escaped(String text) {
        String cut = text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT);
        return cut.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
    }

    private static String unescaped(String text) {
        StringBuilder plain = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\' && i + 1 < text.length()) {
                i++;
                c = text.charAt(i) == 'n' ? '\n' : text.charAt(i) == 'r' ? '\r' : text.charAt(i);
            }
            plain.append(c);
        }
        return plain.toString();
    }
}
