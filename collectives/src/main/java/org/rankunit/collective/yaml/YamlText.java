package org.rankunit.collective.yaml;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** The text of a file, before anything looks for YAML in it. */
final class YamlText {

    /** The parser takes longer than proportionally to the size of a value; configurations have some kilobytes. */
    static final int MAX_BYTES = 1 << 20;

    private YamlText() {}

    /**
     * Read a file.
     *
     * @throws YamlException if it cannot be read, is too large, or is no text in UTF-8
     */
    static String read(Path file) {
        byte[] bytes;
        // No more is read: a file may grow, and one of the system says that it has no bytes.
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MAX_BYTES + 1);
        } catch (NoSuchFileException e) {
            throw new YamlException(file + ": there is no such file");
        } catch (AccessDeniedException e) {
            throw new YamlException(file + ": access is denied");
        } catch (IOException e) {
            throw new YamlException(file + ": "
                    + (Files.isDirectory(file)
                            ? "it is a folder; name a file"
                            : "it cannot be read: " + e.getMessage()));
        }
        requireSize(file.toString(), bytes.length);
        return decoded(file.toString(), bytes);
    }

    /** Refuse what would be parsed for long. */
    static void requireSize(String file, int size) {
        if (size > MAX_BYTES) {
            throw new YamlException(file + ": it is larger than " + MAX_BYTES
                    + " bytes, which is the most for a configuration; is it another file?");
        }
    }

    private static String decoded(String file, byte[] bytes) {
        CharsetDecoder decoder = UTF_8.newDecoder();
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(bytes.length);
        boolean wrong = decoder.decode(in, out, true).isError();
        String text = out.flip().toString();
        if (wrong) {
            int line = (int) text.chars().filter(each -> each == '\n').count() + 1;
            int column = text.length() - text.lastIndexOf('\n');
            throw new YamlPlace(file, line, column)
                    .error(String.format("the byte 0x%02x is not UTF-8; save the file in UTF-8", in.get()));
        }
        return text;
    }
}
