package org.rankunit.golden.files;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
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
     * Refuse a file that does not hold so many elements of this type in this shape; its elements are not read. A file whose elements
     * are in one dimension fits any shape, and so does a buffer; extents of 1 do not matter.
     *
     * @param output what has to fit, for messages: {@code "the buffer 'x'"}
     * @param shape of the buffer; its count alone if it has none
     * @throws ValueFileException with what it holds instead, or with what is wrong with it
     */
    public static void check(Path file, String output, DType type, int[] shape) {
        List<Long> wanted = IntStream.of(shape).mapToObj(Long::valueOf).toList();
        int count = IntStream.of(shape).reduce(1, Math::multiplyExact);
        ValueFiles.Content content = ValueFiles.content(file, type);
        if (content.count() != count) {
            throw new ValueFileException(
                    file,
                    "has " + content.count() + " x " + type + ", and " + output + " has " + count
                            + ". Write a file of that size, or declare the buffer with the file's.");
        }
        List<Long> found = withoutOnes(content.shape());
        if (found.size() > 1 && withoutOnes(wanted).size() > 1 && !found.equals(withoutOnes(wanted))) {
            throw new ValueFileException(
                    file,
                    "has the shape " + NpyHeader.shapeText(content.shape()) + ", and " + output + " "
                            + NpyHeader.shapeText(wanted)
                            + ". Write the array in that shape, or declare the buffer with the file's.");
        }
    }

    private static List<Long> withoutOnes(List<Long> shape) {
        return shape.stream().filter(extent -> extent != 1).toList();
    }
}
