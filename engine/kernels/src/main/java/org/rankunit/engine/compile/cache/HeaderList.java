package org.rankunit.engine.compile.cache;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.rankunit.engine.compile.source.KernelSource;
import org.rankunit.engine.config.files.Digest;

/**
 * The headers that a compiler read for one source. They are named in a way that holds for other copies of the same
 * project, so that these find each other's libraries. Immutable.
 *
 * @param headers in the compiler's order
 */
public record HeaderList(List<Header> headers) {

    private static final String BESIDE = "source ";
    private static final String PROJECT = "project ";

    /**
     * One header.
     *
     * @param besideSource whether its path is relative to the folder of the source; else it is relative to the
     *     project, or absolute
     */
    public record Header(boolean besideSource, String path) {}

    /** Where this copy of the project has its files. */
    public record Places(Path sourceFolder, Path project) {

        Path locate(Header header) {
            return (header.besideSource ? sourceFolder : project).resolve(header.path);
        }
    }

    /**
     * Read the file that the compiler writes for {@code -MMD}.
     *
     * @param own the folder of RankUnit's headers, which are left out
     */
    public static HeaderList ofDepfile(String text, KernelSource source, Path own) {
        String beside = source.folder() + "/";
        List<Header> headers = new ArrayList<>();
        for (String path : prerequisites(text)) {
            if (path.equals(source.file().toString()) || path.startsWith(own + "/")) {
                continue;
            }
            boolean besideSource = path.startsWith(beside);
            headers.add(new Header(besideSource, besideSource ? path.substring(beside.length()) : path));
        }
        return new HeaderList(List.copyOf(headers));
    }

    /**
     * Split the rule of a makefile. A backslash protects blanks and number signs, and joins lines; dollar signs are
     * doubled.
     */
    private static List<String> prerequisites(String text) {
        List<String> paths = new ArrayList<>();
        StringBuilder path = new StringBuilder();
        String rule = text.substring(text.indexOf(':') + 1).replace("\\\n", " ") + "\n";
        for (int i = 0; i < rule.length(); i++) {
            char c = rule.charAt(i);
            char next = i + 1 < rule.length() ? rule.charAt(i + 1) : '\n';
            if ((c == '\\' && (next == ' ' || next == '#')) || (c == '$' && next == '$')) {
                path.append(next);
                i++;
            } else if (Character.isWhitespace(c)) {
                if (!path.isEmpty()) {
                    paths.add(path.toString());
                    path.setLength(0);
                }
            } else {
                path.append(c);
            }
        }
        return paths;
    }

    /** The digest of {@code key} and the present content of all headers; empty if one of them cannot be read. */
    public Optional<String> digest(String key, Places places) {
        Digest digest = new Digest().add(key);
        for (Header header : headers) {
            try {
                digest.add(line(header)).add(Files.readAllBytes(places.locate(header)));
            } catch (IOException absent) {
                return Optional.empty();
            }
        }
        return Optional.of(digest.hex());
    }

    /** Whether a header was changed since then, in milliseconds since the epoch. */
    public boolean changedSince(long millis, Places places) throws IOException {
        for (Header header : headers) {
            if (Files.getLastModifiedTime(places.locate(header)).toMillis() > millis) {
                return true;
            }
        }
        return false;
    }

    void write(Path file) throws IOException {
        Files.write(file, headers.stream().map(HeaderList::line).toList());
    }

    /** Read what {@link #write} wrote; empty if there is no such file, or if it is damaged. */
    static Optional<HeaderList> read(Path file) {
        List<Header> headers = new ArrayList<>();
        try {
            for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
                boolean besideSource = line.startsWith(BESIDE);
                if (!besideSource && !line.startsWith(PROJECT)) {
                    return Optional.empty();
                }
                headers.add(new Header(besideSource, line.substring((besideSource ? BESIDE : PROJECT).length())));
            }
            return Optional.of(new HeaderList(List.copyOf(headers)));
        } catch (IOException absent) {
            return Optional.empty();
        }
    }

    private static String line(Header header) {
        return (header.besideSource ? BESIDE : PROJECT) + header.path;
    }
}
