package org.rankunit.golden.files;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.rankunit.DType;
import org.rankunit.Values;
import org.rankunit.rules.FuzzTarget;
import org.rankunit.rules.FuzzedReaders;

/** The files of values that NumPy and others write. */
class ReaderFuzzTest extends FuzzedReaders {

    /** For each of the five, since each input is a file that is mapped. */
    private static final int ROUNDS = 1_000;

    /** How an entry of the directory of a zip file begins; its two sizes follow. */
    private static final int CENTRAL_ENTRY = 0x02014b50;

    private static final Values VALUES = Values.float32(1.5f, Float.NaN, -0.0f, 3e38f);

    @Override
    protected List<FuzzTarget<?>> targets() throws IOException {
        return List.of(npy(), npyOfType(), npz(), bin(), content());
    }

    private static FuzzTarget<?> npy() throws IOException {
        return FuzzTarget.ofFile("npy", "x.npy", ValueFiles::read)
                .rounds(ROUNDS)
                .refusesWith(ValueFileException.class)
                .then(again(".npy"))
                .from(npy(VALUES, 2, 2))
                .from(npy(Values.int64(1L, -1L), 1, 2, 1))
                .from(withHeader("{'descr': '<f4', 'fortran_order': True, 'shape': (1L, 1), }", 1))
                .from(withHeader("{'descr': '<f4', 'fortran_order': False, 'shape': (), }", 3))
                .from(withHeader("{\"shape\": (1,), 'descr': [('a', '<f4'), ('b', '|O')], 'fortran_order': False}", 2));
    }

    private static FuzzTarget<?> npyOfType() throws IOException {
        return FuzzTarget.ofFile("npy-of-type", "x.npy", file -> ValueFiles.read(file, DType.BFLOAT16))
                .rounds(ROUNDS)
                .refusesWith(ValueFileException.class)
                .then(again(".npy"))
                .from(withHeader("{'descr': '|V2', 'fortran_order': False, 'shape': (2,), }", 1))
                .from(withHeader("{'descr': '<u2', 'fortran_order': False, 'shape': (2,), }", 1));
    }

    private static FuzzTarget<?> npz() throws IOException {
        return FuzzTarget.ofFile("npz", "x.npz", ValueFiles::read)
                .rounds(ROUNDS)
                .refusesWith(ValueFileException.class)
                .then(again(".npz"))
                .from(written("x.npz", VALUES, 4))
                .from(deflated("x.npy", npy(VALUES, 4)))
                .from(deflated("\u00e9.npy", npy(VALUES, 4), "x.npy", npy(VALUES, 4)))
                .from(deflated("x.npy", withHeader("{'descr': '<f4', 'fortran_order': False, 'shape': (9999,), }", 1)))
                .from(promising(1 << 28));
    }

    private static FuzzTarget<?> bin() throws IOException {
        return FuzzTarget.ofFile("bin", "x.bin", file -> ValueFiles.read(file, DType.INT16))
                .rounds(ROUNDS)
                .refusesWith(ValueFileException.class)
                .then(values -> assertThat(values.encode()).hasSize(values.count() * Short.BYTES))
                .from(written("x.bin", VALUES));
    }

    /** What is looked at before elements are read. */
    private static FuzzTarget<?> content() throws IOException {
        return FuzzTarget.ofFile("npz-content", "x.npz", file -> ValueFiles.content(file, DType.FLOAT32))
                .rounds(ROUNDS)
                .refusesWith(ValueFileException.class)
                .from(written("x.npz", VALUES, 4))
                .from(deflated("x.npy", npy(VALUES, 4)))
                .fromLarge(zeros(1 << 26));
    }

    /** Some hundred kilobytes that hold so many numbers, which are not read to know how many they are. */
    private static byte[] zeros(int count) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            zip.setLevel(Deflater.BEST_SPEED);
            zip.putNextEntry(new ZipEntry("x.npy"));
            byte[] header = withHeader("{'descr': '<f4', 'fortran_order': False, 'shape': (" + count + ",), }", 1);
            zip.write(header, 0, header.length - Float.BYTES);
            byte[] some = new byte[1 << 16];
            for (long left = (long) count * Float.BYTES; left > 0; left -= some.length) {
                zip.write(some);
            }
        }
        return bytes.toByteArray();
    }

    private static FuzzTarget.Use<Values> again(String ending) {
        return values -> {
            Path file = Files.createTempFile("again", ending);
            ValueFiles.write(file, values);
            assertThat(ValueFiles.read(file, values.type()).encode()).isEqualTo(values.encode());
            Files.delete(file);
        };
    }

    private static byte[] npy(Values values, int... shape) throws IOException {
        return written("x.npy", values, shape);
    }

    private static byte[] written(String name, Values values, int... shape) throws IOException {
        Path folder = Files.createTempDirectory("written");
        Path file = folder.resolve(name);
        ValueFiles.write(file, values, shape);
        byte[] bytes = Files.readAllBytes(file);
        Files.delete(file);
        Files.delete(folder);
        return bytes;
    }

    /** A file in this version of the format, with four bytes behind its header. */
    private static byte[] withHeader(String header, int version) {
        String length = (char) (header.length() & 0xff) + "" + (char) (header.length() >> Byte.SIZE);
        return ("\u0093NUMPY" + (char) version + "\0" + length + (version > 1 ? "\0\0" : "") + header + "abcd")
                .getBytes(ISO_8859_1);
    }

    /** An archive of some hundred bytes that says of itself that it holds so many numbers, of an entry that is large enough. */
    private static byte[] promising(int count) throws IOException {
        byte[] array = withHeader("{'descr': '<f4', 'fortran_order': False, 'shape': (" + count + ",), }", 1);
        byte[] archive = deflated("x.npy", array);
        ByteBuffer bytes = ByteBuffer.wrap(archive).order(ByteOrder.LITTLE_ENDIAN);
        int entry = 0;
        while (bytes.getInt(entry) != CENTRAL_ENTRY) {
            entry++;
        }
        bytes.putInt(entry + 20, count * Float.BYTES / 2);
        bytes.putInt(entry + 24, array.length + (count - 1) * Float.BYTES);
        return archive;
    }

    private static byte[] deflated(String name, byte[] content) throws IOException {
        return deflated(name, content, "other", new byte[0]);
    }

    private static byte[] deflated(String name, byte[] content, String otherName, byte[] other) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            zip.putNextEntry(new ZipEntry(name));
            zip.write(content);
            zip.putNextEntry(new ZipEntry(otherName));
            zip.write(other);
        }
        return bytes.toByteArray();
    }
}
