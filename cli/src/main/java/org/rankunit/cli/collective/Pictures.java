package org.rankunit.cli.collective;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.rankunit.cli.pool.UsageException;
import org.rankunit.collective.picture.CollectivePicture;

/** Where a picture is written: the value of {@code --picture}. */
public final class Pictures {

    private static final String SVG = ".svg";
    private static final String HTML = ".html";

    private Pictures() {}

    /**
     * Refuse a file that is neither SVG nor HTML.
     *
     * @throws UsageException if it has another ending
     */
    public static void requireFormat(Path file) {
        String name = file.toString();
        if (!name.endsWith(SVG) && !name.endsWith(HTML)) {
            throw new UsageException("--picture = \"" + file + "\": expected a file that ends in .svg or .html.");
        }
    }

    /**
     * Write a picture; returns a line for people, which says why if there is none.
     *
     * @throws UsageException if the file cannot be written
     */
    public static String write(CollectivePicture picture, Path file) {
        Optional<String> why = picture.unsupportedReason();
        if (why.isPresent()) {
            return "no picture: " + why.get();
        }
        try {
            Path folder = file.toAbsolutePath().getParent();
            if (folder != null) {
                Files.createDirectories(folder);
            }
            Files.writeString(file, file.toString().endsWith(SVG) ? picture.svg() : picture.html());
            return "written: " + file;
        } catch (IOException e) {
            throw new UsageException("--picture: " + file + " cannot be written: " + Reasons.of(e, file));
        }
    }
}
