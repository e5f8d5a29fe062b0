package org.rankunit.golden.files;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.rankunit.DType;
import org.rankunit.Values;

/**
 * Read and write {@link Values} in files. The end of a file's name says what it is:
 *
 * <ul>
 *   <li>{@code .npy}, an array of NumPy, in format version 1.0, 2.0 or 3.0.
 *   <li>{@code .npz}, an archive of such arrays, compressed or not. It holds one array, or one with the name of the file:
 *       {@code output.npz} the array {@code output}.
 *   <li>{@code .bin}, the bare elements, one after the other, little endian.
 * </ul>
 *
 * <pre>{@code
 * // in Python: numpy.save("weights.npy", numpy.arange(6, dtype=numpy.float16).reshape(2, 3))
 * Values weights = ValueFiles.read(Path.of("weights.npy"), DType.FLOAT16);   // 6 x float16 [0.0, 1.0, 2.0, ...]
 *
 * ValueFiles.write(Path.of("copy.npy"), weights, 2, 3);
 *
 * // in Python: bits = (x.view(numpy.uint32) >> 16).astype(numpy.uint16); numpy.save("x.npy", bits)
 * Values x = ValueFiles.read(Path.of("x.npy"), DType.BFLOAT16);
 * }</pre>
 *
 * <p>Elements are taken bit by bit and in row-major order. NumPy has no bfloat16: a file has it as {@code uint16} or as two opaque
 * bytes ({@code V2}), and the type that the caller gives says what it is. For {@code float8_e5m2} of the package ml_dtypes NumPy writes
 * {@code <f1}, which is {@link DType#FLOAT8_E5M2} here. Nothing is converted: a file of another type is refused, and
 * so are big-endian elements, Fortran order of more than one dimension, structured types, and arrays of Python objects, which are never
 * unpickled. An array of an archive must have the checksum that the archive has for it.
 *
 * <p>Threads may call all methods at the same time.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class ValueFiles {

    /** How the file begins that Git keeps in place of a large one. */
    private static final byte[] GIT_LFS_POINTER =
            "version https://git-lfs.github.com/spec/v1".getBytes(StandardCharsets.US_ASCII);

    private static final String ENDINGS = "Give a name that ends in .npy, .npz or .bin.";

    /** What a file is, by the end of its name. */
    enum Format {
        NPY,
        NPZ,
        BIN
    }

    private ValueFiles() {}

    /**
     * Read a file whose elements are of this type.
     *
     * @throws ValueFileException if there is no such file, or it is damaged, of another type or in a form that is refused
     */
    public static Values read(Path file, DType type) {
        return read(file, formatOf(file), type);
    }

    /**
     * Read a {@code .npy} or {@code .npz} file whose own type says what its elements are.
     *
     * @throws ValueFileException as {@link #read(Path, DType)} does, and for a {@code .bin} file, which has no type
     */
    public static Values read(Path file) {
        Format format = formatOf(file);
        if (format == Format.BIN) {
            throw new ValueFileException(file, "a .bin file does not say what its elements are. Give their type.");
        }
        return read(file, format, null);
    }

    /**
     * What a file says that it holds.
     *
     * @param shape empty for one number, and for a {@code .bin} file, which has none
     */
    record Content(DType type, List<Long> shape, int count) {}

    /** What a file of this type holds, of which only the begin is read; errors as with {@link #read(Path, DType)}. */
    static Content content(Path file, DType type) {
        Format format = formatOf(file);
        return opened(
                file,
                format,
                () -> NpzFile.content(file, type),
                bytes -> format == Format.BIN
                        ? new Content(type, List.of(), raw(file, bytes, type).remaining() / type.byteSize())
                        : NpyFile.start(file, bytes, type, bytes.remaining()).content());
    }

    private static Values read(Path file, Format format, @Nullable DType type) {
        return opened(
                file,
                format,
                () -> NpzFile.values(file, type),
                bytes -> type != null && format == Format.BIN
                        ? Values.decode(type, raw(file, bytes, type))
                        : NpyFile.read(file, bytes, type));
    }

    private interface Archive<T> {
        T read() throws IOException;
    }

    private static <T> T opened(Path file, Format format, Archive<T> archive, Function<ByteBuffer, T> bare) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            if (channel.size() > Integer.MAX_VALUE) {
                throw tooLarge(file, channel.size());
            }
            // Mapped: its elements are copied once, into the values.
            ByteBuffer content = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
            if (isGitLfsPointer(content)) {
                throw new ValueFileException(file, "is a Git LFS pointer, not the file itself. Run git lfs pull.");
            }
            return format == Format.NPZ ? archive.read() : bare.apply(content);
        } catch (NoSuchFileException e) {
            throw new ValueFileException(file, "there is no such file", e);
        } catch (IOException e) {
            throw new ValueFileException(file, "cannot be read: " + e.getMessage(), e);
        }
    }

    private static boolean isGitLfsPointer(ByteBuffer content) {
        byte[] begin = new byte[Math.min(GIT_LFS_POINTER.length, content.remaining())];
        content.get(content.position(), begin);
        return Arrays.equals(begin, GIT_LFS_POINTER);
    }

    static ValueFileException tooLarge(Path file, long bytes) {
        return new ValueFileException(
                file, "has " + bytes + " bytes, more than the " + Integer.MAX_VALUE + " that values can have");
    }

    private static ByteBuffer raw(Path file, ByteBuffer content, DType type) {
        if (content.remaining() % type.byteSize() != 0) {
            throw new ValueFileException(
                    file,
                    "has " + content.remaining() + " bytes, which are not a whole number of " + type + " elements of "
                            + type.byteSize() + " bytes. The file is truncated, or its elements are of another type.");
        }
        return content;
    }

    /**
     * Write values to a file, in the format that the end of its name says. The file appears as a whole and replaces one of the
     * same name; its folder must exist.
     *
     * @param shape the extents, the outermost first; none for one dimension. A {@code .bin} file has no shape
     * @throws IllegalArgumentException if a shape is given that is not of as many elements
     * @throws ValueFileException if the file cannot be written
     */
    public static void write(Path file, Values values, int... shape) {
        Format format = formatOf(file);
        int[] extents = shape.length == 0 ? new int[] {values.count()} : shape.clone();
        long product = 1;
        for (int extent : extents) {
            product = Math.multiplyExact(product, extent);
        }
        if (product != values.count()) {
            throw new IllegalArgumentException(
                    file + ": a shape of " + product + " elements was given for " + values.count() + " values.");
        }
        Path fresh = file.resolveSibling(
                "." + file.getFileName() + "." + ProcessHandle.current().pid() + ".new");
        try {
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(fresh))) {
                switch (format) {
                    case NPY -> NpyFile.write(out, values, extents);
                    case NPZ -> NpzFile.write(out, stem(file), values, extents);
                    case BIN -> out.write(values.encode());
                }
            }
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new ValueFileException(file, "cannot be written: " + e, e);
        } finally {
            deleteQuietly(fresh);
        }
    }

    private static void deleteQuietly(Path fresh) {
        try {
            Files.deleteIfExists(fresh);
        } catch (IOException ignored) {
            // Either it was renamed, or writing it has failed for the same reason.
        }
    }

    private static Format formatOf(Path file) {
        String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
        for (Format format : Format.values()) {
            if (name.endsWith("." + format.name().toLowerCase(Locale.ROOT))) {
                return format;
            }
        }
        throw new ValueFileException(file, "its name does not say in which format it is. " + ENDINGS);
    }

    /** The name of a file without its ending, which is that of the array in an archive. */
    static String stem(Path file) {
        String name = String.valueOf(file.getFileName());
        return name.substring(0, name.lastIndexOf('.'));
    }
}
