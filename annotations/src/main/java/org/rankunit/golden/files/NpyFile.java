package org.rankunit.golden.files;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.rankunit.DType;
import org.rankunit.Values;

/**
 * One array in NumPy's format, as {@code numpy.lib.format} describes it: a magic string, a version, the length of a header, the header,
 * the elements.
 */
final class NpyFile {

    private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
    private static final int VERSION_BYTES = 2;

    /** NumPy aligns the elements at multiples of so many bytes. */
    private static final int ALIGNMENT = 64;

    /** NumPy reads no header of more than 10,000 bytes either, unless it is told to. */
    private static final int MAX_OF_HEADER = 1 << 16;

    static final int MAX_IN_FRONT = 16 + MAX_OF_HEADER;

    private NpyFile() {}

    /**
     * What is in front of the elements.
     *
     * @param offset of the elements, in bytes
     */
    record Start(DType type, NpyHeader header, int offset, int bytes) {

        ValueFiles.Content content() {
            return new ValueFiles.Content(type, header.shape(), bytes / type.byteSize());
        }
    }

    /**
     * Read what is in front of the elements.
     *
     * @param begin at least {@link #MAX_IN_FRONT} bytes, or the whole file
     * @param type what the elements are to be, or {@code null} for the file's own type
     * @param length of the whole file
     */
    static Start start(Path file, ByteBuffer begin, @Nullable DType type, long length) {
        ByteBuffer in = begin.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        NpyHeader header = NpyHeader.parse(file, headerOf(file, in));
        DType elements = NpyType.of(file, header.descr(), type);
        header.requireRowMajor(file);
        long bytes = bytesOf(file, header, elements);
        int offset = in.position() - begin.position();
        if (length - offset < bytes) {
            throw new ValueFileException(
                    file,
                    "is truncated: its header promises " + header.shapeText() + " of " + elements + ", which are "
                            + bytes + " bytes, and " + (length - offset) + " follow. Write it again.");
        }
        if (length - offset > bytes) {
            throw new ValueFileException(
                    file, "has " + (length - offset - bytes) + " bytes behind its array. Write one array to a file.");
        }
        return new Start(elements, header, offset, (int) bytes);
    }

    /** Read the elements from a whole file. */
    static Values read(Path file, ByteBuffer content, @Nullable DType type) {
        Start start = start(file, content, type, content.remaining());
        return Values.decode(start.type(), content.slice(start.offset(), start.bytes()));
    }

    private static long bytesOf(Path file, NpyHeader header, DType elements) {
        try {
            long bytes = Math.multiplyExact(header.count(), elements.byteSize());
            if (bytes > Integer.MAX_VALUE) {
                throw ValueFiles.tooLarge(file, bytes);
            }
            return bytes;
        } catch (ArithmeticException e) {
            throw new ValueFileException(file, "its shape " + header.shapeText() + " has too many elements", e);
        }
    }

    private static String headerOf(Path file, ByteBuffer in) {
        byte[] magic = new byte[Math.min(MAGIC.length, in.remaining())];
        in.get(magic);
        if (!Arrays.equals(magic, Arrays.copyOf(MAGIC, magic.length))) {
            throw new ValueFileException(
                    file,
                    "is not a .npy file: it does not start with the magic string \\x93NUMPY. Write it with numpy.save.");
        }
        if (magic.length < MAGIC.length || in.remaining() < VERSION_BYTES) {
            throw truncated(file);
        }
        int major = in.get();
        int minor = in.get();
        if (major < 1 || major > 3 || minor != 0) {
            throw new ValueFileException(
                    file,
                    "is in version " + major + "." + minor
                            + " of the .npy format. Versions 1.0, 2.0 and 3.0 are read.");
        }
        int lengthBytes = major == 1 ? Short.BYTES : Integer.BYTES;
        if (in.remaining() < lengthBytes) {
            throw truncated(file);
        }
        long length = major == 1 ? Short.toUnsignedLong(in.getShort()) : Integer.toUnsignedLong(in.getInt());
        if (length > MAX_OF_HEADER) {
            throw new ValueFileException(
                    file,
                    "has a header of " + length + " bytes, and that of an array of numbers has at most " + MAX_OF_HEADER
                            + ". Write it with numpy.save.");
        }
        if (in.remaining() < length) {
            throw truncated(file);
        }
        byte[] header = new byte[(int) length];
        in.get(header);
        return new String(header, major < 3 ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8);
    }

    private static ValueFileException truncated(Path file) {
        return new ValueFileException(file, "is truncated: it ends within its header. Write it again.");
    }

    /** Write values in version 1.0, as NumPy does: its header is long enough for any of our shapes. */
    static void write(OutputStream out, Values values, int[] shape) throws IOException {
        String extents = Arrays.stream(shape).mapToObj(Integer::toString).collect(Collectors.joining(", "));
        String dictionary = "{'descr': '" + NpyType.descrOf(values.type()) + "', 'fortran_order': False, 'shape': ("
                + extents + (shape.length == 1 ? ",), }" : "), }");
        int before = MAGIC.length + VERSION_BYTES + Short.BYTES;
        int padding = ALIGNMENT - 1 - Math.floorMod(before + dictionary.length(), ALIGNMENT);
        byte[] header = (dictionary + " ".repeat(padding) + "\n").getBytes(StandardCharsets.ISO_8859_1);
        ByteBuffer start = ByteBuffer.allocate(before).order(ByteOrder.LITTLE_ENDIAN);
        start.put(MAGIC).put((byte) 1).put((byte) 0).putShort((short) header.length);
        out.write(start.array());
        out.write(header);
        out.write(values.encode());
    }
}
