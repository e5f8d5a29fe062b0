package org.rankunit.golden.files;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.rankunit.DType;

/**
 * The files of one rank, one for each buffer: {@code <folder>/rank_<r>/<buffer>.npy}, {@code .npz} or {@code .bin}.
 *
 * @param folder the folder of this rank
 */
@API(status = INTERNAL, since = "0.1")
public record RankFiles(Path folder) {

    /** Ends the name of a file with what is expected in a buffer that is also an input. */
    public static final String EXPECTED = ".expected";

    /** The files of a rank below the folder of all ranks. */
    public static RankFiles of(Path all, int rank) {
        return new RankFiles(all.resolve("rank_" + rank));
    }

    /**
     * Find the file with this name, whatever its ending.
     *
     * @throws ValueFileException if there are several
     */
    public Optional<Path> find(String name) {
        List<Path> found = Stream.of(ValueFiles.Format.values())
                .map(format -> folder.resolve(name + "." + format.name().toLowerCase(Locale.ROOT)))
                .filter(Files::isRegularFile)
                .toList();
        if (found.size() > 1) {
            throw new ValueFileException(
                    folder,
                    "has " + found.get(0).getFileName() + " and " + found.get(1).getFileName()
                            + ". Remove one of them.");
        }
        return found.stream().findFirst();
    }

    /**
     * Find the file with this name, whatever its ending.
     *
     * @throws ValueFileException if there is none, or there are several
     */
    public Path required(String name) {
        return find(name)
                .orElseThrow(() -> new ValueFileException(
                        folder, "there is no file " + name + ".npy, " + name + ".npz or " + name + ".bin"));
    }

    /** The file that is written for a buffer. */
    public Path npy(String name) {
        return folder.resolve(name + ".npy");
    }

    /**
     * Refuse a file that does not hold so many elements of this type; only an archive is read for that.
     *
     * @throws ValueFileException with what it holds instead, or with what is wrong with it
     */
    public static void check(Path file, String buffer, DType type, int count) {
        int found = ValueFiles.count(file, type);
        if (found != count) {
            throw new ValueFileException(
                    file,
                    "has " + found + " x " + type + ", and the buffer '" + buffer + "' has " + count
                            + ". Write a file of that size, or declare the buffer with the file's.");
        }
    }
}
