package org.rankunit.pool;

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

/**
 * The file beside a device's lock file that says who holds the device.
 *
 * <p>Written, read and removed while the lock is held, and written under another name first, so that no reader finds
 * half a record. A holder that is killed leaves its record behind; readers tell by the lock and the process.
 */
final class OwnerFile {

    private static final int LONGEST_TEXT = 500;
    private static final int LONGEST_FILE = 8 * 1024;

    private final Path path;
    private final Path written;

    OwnerFile(Path platformFolder, int device) {
        path = platformFolder.resolve(device + ".owner");
        written = platformFolder.resolve(device + ".owner.new");
    }

    Path path() {
        return path;
    }

    /** Encode once what is written for each device of a lease. */
    static byte[] encode(OwnerRecord owner) {
        String text = "pid=" + owner.pid()
                + "\nprocess-start=" + owner.processStart()
                + "\nuser=" + escaped(owner.user())
                + "\ntest=" + escaped(owner.test())
                + "\nsince=" + owner.since()
                + "\n";
        return text.getBytes(StandardCharsets.UTF_8);
    }

    void write(byte[] encoded) throws IOException {
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

    /** Only ever a file of our own making: one that is there, be it a planted link, is not opened. */
    private void writeNew(byte[] encoded) throws IOException {
        try (SeekableByteChannel channel = Files.newByteChannel(
                written, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), PoolFolder.OWNER_ONLY_FILE)) {
            ByteBuffer bytes = ByteBuffer.wrap(encoded);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        }
    }

    void delete() throws IOException {
        Files.deleteIfExists(path);
    }

    /** The record, if there is one and the process that wrote it still runs; to be asked for a locked device only. */
    Optional<OwnerRecord> read() {
        try {
            return Uninterruptibly.access(this::readText)
                    .flatMap(OwnerFile::decode)
                    .filter(OwnerRecord::isOfLiveProcess);
        } catch (IOException unreadable) {
            return Optional.empty();
        }
    }

    private Optional<String> readText() throws IOException {
        if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        try (InputStream in = Files.newInputStream(path, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.of(new String(in.readNBytes(LONGEST_FILE), StandardCharsets.UTF_8));
        }
    }

    /** Read what {@link #encode} wrote; empty if the text is no record. */
    static Optional<OwnerRecord> decode(String text) {
        Map<String, String> values = new HashMap<>();
        text.lines().forEach(line -> {
            int equals = line.indexOf('=');
            if (equals > 0) {
                values.put(line.substring(0, equals), line.substring(equals + 1));
            }
        });
        if (!values.keySet().containsAll(Set.of("pid", "process-start", "user", "test", "since"))) {
            return Optional.empty();
        }
        try {
            return Optional.of(new OwnerRecord(
                    Long.parseLong(values.getOrDefault("pid", "")),
                    Instant.parse(values.getOrDefault("process-start", "")),
                    unescaped(values.getOrDefault("user", "")),
                    unescaped(values.getOrDefault("test", "")),
                    Instant.parse(values.getOrDefault("since", ""))));
        } catch (NumberFormatException | DateTimeException notARecord) {
            return Optional.empty();
        }
    }

    /** Cut to size, with backslashes and line breaks written as in a properties file. */
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
