package org.rankunit.golden.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.DType;
import org.rankunit.Values;

@Tag("unit")
class ValueFilesTest {

    @TempDir
    Path folder;

    /** Any type, number of elements, shape, bits and format. */
    @RepeatedTest(300)
    void whatIsWrittenIsReadBitByBit(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        List<DType> types = List.of(DType.values());
        DType type = types.get(random.nextInt(types.size()));
        int[] shape = random.ints(random.nextInt(4), 0, 6).toArray();
        int count =
                shape.length == 0 ? random.nextInt(50) : Arrays.stream(shape).reduce(1, (a, b) -> a * b);
        byte[] bits = new byte[count * type.byteSize()];
        random.nextBytes(bits);
        Values values = Values.decode(type, bits);
        Path file = folder.resolve("values." + new String[] {"npy", "npz", "bin"}[random.nextInt(3)]);

        ValueFiles.write(file, values, shape);

        assertThat(ValueFiles.read(file, type)).isEqualTo(values);
        assertThat(folder).isDirectoryContaining(file::equals);
        assertThat(folder.toFile().list()).hasSize(1);
    }

    /** A file cut anywhere is never taken for a whole one. */
    @RepeatedTest(100)
    void everyTruncatedFileIsRefused(RepetitionInfo repetition) throws IOException {
        Random random = new Random(repetition.getCurrentRepetition());
        Path file = folder.resolve(random.nextBoolean() ? "cut.npy" : "cut.npz");
        ValueFiles.write(file, Values.float32(1, 2, 3, 4, 5));
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, random.nextInt(whole.length)));

        assertThatThrownBy(() -> ValueFiles.read(file, DType.FLOAT32)).isInstanceOf(ValueFileException.class);
    }

    /** Damage to the header gives values or a clear refusal, and nothing else. */
    @RepeatedTest(300)
    void aDamagedHeaderIsRefusedByName(RepetitionInfo repetition) throws IOException {
        Random random = new Random(repetition.getCurrentRepetition());
        Path file = folder.resolve("damaged.npy");
        ValueFiles.write(file, Values.int16((short) 1, (short) 2, (short) 3));
        byte[] content = Files.readAllBytes(file);
        content[random.nextInt(128)] = (byte) random.nextInt();
        Files.write(file, content);

        try {
            assertThat(ValueFiles.read(file, DType.INT16).count()).isEqualTo(3);
        } catch (ValueFileException refused) {
            assertThat(refused).hasMessageStartingWith(file + ": ");
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = DType.class,
            names = {"BFLOAT16", "FLOAT8_E4M3FN", "FLOAT8_E5M2", "HIFLOAT8"},
            mode = EnumSource.Mode.EXCLUDE)
    void aFileSaysItsOwnType(DType type) {
        Path file = folder.resolve("own.npy");
        Values values = Values.decode(type, new byte[3 * type.byteSize()]);
        ValueFiles.write(file, values);

        assertThat(ValueFiles.read(file)).isEqualTo(values);
    }

    @ParameterizedTest
    @ValueSource(strings = {"<u2", "|V2", "<V2"})
    void bfloat16IsWhatTheCallerSays(String descr) throws IOException {
        Path file = npy(1, descr, false, "(2,)", new byte[] {(byte) 0x80, 0x3f, 0, (byte) 0xc0});

        assertThat(ValueFiles.read(file, DType.BFLOAT16)).isEqualTo(Values.bfloat16(1, -2));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void allVersionsAreRead(int version) throws IOException {
        assertThat(ValueFiles.read(npy(version, "<i4", false, "(1, 2)", new byte[] {1, 0, 0, 0, 2, 0, 0, 0})))
                .isEqualTo(Values.int32(1, 2));
    }

    @ParameterizedTest
    @ValueSource(strings = {"(1, 2)", "(2,)", "(1, 2, 1)", "(2, 1)"})
    void fortranOrderOfOneDimensionIsTheSameOrder(String shape) throws IOException {
        assertThat(ValueFiles.read(npy(1, "|i1", true, shape, new byte[] {1, 2})))
                .isEqualTo(Values.int8((byte) 1, (byte) 2));
    }

    @Test
    void aNumberWithoutDimensionsIsOneElement() throws IOException {
        assertThat(ValueFiles.read(npy(1, "|u1", false, "()", new byte[] {7}))).isEqualTo(Values.uint8(7));
    }

    private static Stream<Arguments> otherForms() {
        return Stream.of(
                Arguments.of(
                        "<f4",
                        true,
                        "(2, 2)",
                        16,
                        "is in Fortran order, with the shape (2, 2). Write it in C order: numpy.ascontiguousarray(array)."),
                Arguments.of(
                        ">f4",
                        false,
                        "(2,)",
                        8,
                        "is big-endian (>f4). Write it little-endian: array.astype(array.dtype.newbyteorder('<'))."),
                Arguments.of(
                        "|O",
                        false,
                        "(2,)",
                        8,
                        "has Python objects (|O), which are never unpickled. Write an array of numbers."),
                Arguments.of(
                        "<f8",
                        false,
                        "(2,)",
                        16,
                        "has elements of type <f8, and float32 is expected, which is '<f4'. Write it in that type, or declare the file's."),
                Arguments.of("=f4", false, "(2,)", 8, "does not say its byte order (=f4). Write it with numpy.save."),
                Arguments.of(
                        "<f4",
                        false,
                        "(3,)",
                        8,
                        "is truncated: its header promises (3,) of float32, which are 12 bytes, and 8 follow. Write it again."),
                Arguments.of("<f4", false, "(1,)", 8, "has 4 bytes behind its array. Write one array to a file."),
                Arguments.of(
                        "<f4",
                        false,
                        "(999999999, 999999999999)",
                        8,
                        "its shape (999999999, 999999999999) has too many elements"),
                Arguments.of(
                        "<f4",
                        false,
                        "(999999999,)",
                        8,
                        "has 3999999996 bytes, more than the 2147483647 that values can have"),
                Arguments.of(
                        "<f4",
                        false,
                        "(-1,)",
                        8,
                        "has a header that NumPy does not write: {'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }. Write the file with numpy.save."));
    }

    @ParameterizedTest
    @MethodSource("otherForms")
    void otherFormsAreRefusedByName(String descr, boolean fortran, String shape, int bytes, String why)
            throws IOException {
        Path file = npy(1, descr, fortran, shape, new byte[bytes]);

        assertThatThrownBy(() -> ValueFiles.read(file, DType.FLOAT32))
                .isInstanceOf(ValueFileException.class)
                .hasMessage(file + ": " + why);
    }

    @Test
    void structuredTypesAreRefused() throws IOException {
        Path file = raw(
                1,
                "{'descr': [('a', '<f4'), ('b', '<i4', (2,))], 'fortran_order': False, 'shape': (1,), }",
                new byte[12]);

        assertThatThrownBy(() -> ValueFiles.read(file, DType.FLOAT32))
                .hasMessage(
                        file + ": has elements of the structured type [('a', '<f4'), ('b', '<i4', (2,))]. Write each"
                                + " field as an array of its own.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[]",
                "{'descr': '<f4'}",
                "{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}",
                "{'descr': '<f4', 'fortran_order': False, 'shape': 1}",
                "{'descr': '<f4', 'fortran_order': False, 'shape': (1)}",
                "{'descr': '<f4', 'fortran_order': False, 'shape': (1LL,)}",
                "{'descr': '<f4', 'fortran_order': False, 'shape': (,)}",
                "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}",
                "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} more",
                "{'descr': '<f4', 'fortran_order': False, 'shape': (1,",
                "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'other': 1}"
            })
    void otherHeadersAreRefused(String header) throws IOException {
        Path file = raw(1, header, new byte[4]);

        assertThatThrownBy(() -> ValueFiles.read(file, DType.FLOAT32))
                .isInstanceOf(ValueFileException.class)
                .hasMessageContaining("has a header that NumPy does not write");
    }

    /** What NumPy writes for types that are none of ours, and are not structured. */
    @ParameterizedTest
    @ValueSource(strings = {"<c8", "<U5", "|S3", "<M8[ns]", "<m8[us]", "<f16", "<f1"})
    void otherTypesAreRefusedByName(String descr) throws IOException {
        Path file = npy(1, descr, false, "(1,)", new byte[4]);

        assertThatThrownBy(() -> ValueFiles.read(file, DType.FLOAT32))
                .hasMessageContainingAll(file + ": has elements of type " + descr);
        if (!descr.equals("<f1")) {
            assertThatThrownBy(() -> ValueFiles.read(file))
                    .hasMessageContainingAll(
                            file + ": has elements of type " + descr + ", which is not one of [float16, ",
                            "Convert it");
        }
    }

    /** The bytes that NumPy writes for {@code numpy.array([[0, 1, 2], [2.5, 3, 5]], ml_dtypes.float8_e5m2)}, which has no letter of its own. */
    @Test
    void float8e5m2OfNumpyIsRead() throws IOException {
        Path file = npy(1, "<f1", false, "(2, 3)", new byte[] {0, 0x3c, 0x40, 0x41, 0x42, 0x45});
        Values expected = Values.float8e5m2(0, 1, 2, 2.5f, 3, 5);

        assertThat(ValueFiles.read(file)).isEqualTo(expected);
        assertThat(ValueFiles.read(file, DType.FLOAT8_E5M2)).isEqualTo(expected);
        assertThatThrownBy(() -> ValueFiles.read(file, DType.FLOAT8_E4M3FN)).hasMessageContaining("<f1");
    }

    @Test
    void opaqueBytesNeedAType() throws IOException {
        Path file = npy(1, "|V2", false, "(1,)", new byte[2]);
        assertThatThrownBy(() -> ValueFiles.read(file))
                .hasMessage(file + ": has elements of 2 opaque bytes (|V2). Give the type whose bits they are.");
    }

    @Test
    void theLongNumbersOfPython2AreRead() throws IOException {
        assertThat(ValueFiles.read(npy(1, "|u1", false, "(1L, 2L)", new byte[] {7, 8})))
                .isEqualTo(Values.uint8(7, 8));
    }

    @ParameterizedTest
    @ValueSource(strings = {"npy", "npz", "bin"})
    void aPointerOfGitLfsIsNotTakenForItsContent(String ending) throws IOException {
        Path file = folder.resolve("big." + ending);
        String pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:" + "0123456789abcdef".repeat(4)
                + "\nsize 128\n";
        Files.writeString(file, pointer + " ".repeat(Math.floorMod(-pointer.length(), 4)));

        assertThatThrownBy(() -> ValueFiles.read(file, DType.FLOAT32))
                .isInstanceOf(ValueFileException.class)
                .hasMessage(file + ": is a Git LFS pointer, not the file itself. Run git lfs pull.");
    }

    /** Whichever bit of an array in an archive is wrong, compressed or not. */
    @RepeatedTest(200)
    void damageInAnArchiveIsNoticed(RepetitionInfo repetition) throws IOException {
        Random random = new Random(repetition.getCurrentRepetition());
        double[] numbers = random.doubles(100).toArray();
        Path file = folder.resolve("values.npz");
        ValueFiles.write(file, Values.float64(numbers));
        if (random.nextBoolean()) {
            Path array = folder.resolve("values.npy");
            ValueFiles.write(array, Values.float64(numbers));
            archive(file, Files.readAllBytes(array), "values.npy");
        }
        byte[] content = Files.readAllBytes(file);
        content[60 + random.nextInt(700)] ^= (byte) (1 << random.nextInt(8));
        Files.write(file, content);

        Values read;
        try {
            read = ValueFiles.read(file, DType.FLOAT64);
        } catch (ValueFileException refused) {
            return;
        }
        // Blanks in the header are not looked at, and neither is what the archive has twice.
        assertThat(read).isEqualTo(Values.float64(numbers));
    }

    /** Its content is damaged, which is not noticed before it is unpacked. */
    @Test
    void anArchiveIsComparedWithItsBufferBeforeItIsUnpacked() throws IOException {
        byte[] data = new byte[500_000];
        new Random(1).nextBytes(data);
        Path file = folder.resolve("large.npz");
        archive(file, Files.readAllBytes(npy(1, "|u1", false, "(500000,)", data)), "large.npy");
        byte[] content = Files.readAllBytes(file);
        content[400_000] ^= 1;
        Files.write(file, content);

        assertThatThrownBy(() -> RankFiles.check(file, "the buffer 'x'", DType.UINT8, new int[] {16}))
                .hasMessageContaining(": has 500000 x uint8, and the buffer 'x' has 16");
        RankFiles.check(file, "the buffer 'x'", DType.UINT8, new int[] {500_000});
        assertThatThrownBy(() -> ValueFiles.read(file)).isInstanceOf(ValueFileException.class);
    }

    @Test
    void anArchiveThatPromisesMoreThanItCanHoldIsRefused() throws IOException {
        Path file = folder.resolve("promise.npz");
        archive(file, Files.readAllBytes(npy(1, "|u1", false, "(1900000000,)", new byte[8])), "promise.npy");
        byte[] content = Files.readAllBytes(file);
        ByteBuffer archive = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN);
        int directory = archive.getInt(content.length - 6);
        int front = archive.getInt(directory + 24) - 8;
        archive.putInt(directory + 24, front + 1_900_000_000);
        Files.write(file, content);

        assertThatThrownBy(() -> ValueFiles.read(file))
                .isInstanceOf(ValueFileException.class)
                .hasMessageContaining("is damaged: it promises 1900000000 bytes, which no ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "(2, 3)    | 2,3   | true",
                "(3, 2)    | 2,3   | false",
                "(6,)      | 2,3   | true",
                "(3, 2)    | 6     | true",
                "(1, 2, 3) | 2,3   | true",
                "(2, 3)    | 2,1,3 | true",
                "(6, 1)    | 2,3   | true",
                "(3, 1, 2) | 2,3   | false",
                "(2, 3)    | 3,2,1 | false"
            })
    void theShapeOfAFileIsThatOfItsBuffer(String ofFile, String ofBuffer, boolean fits) throws IOException {
        Path file = npy(1, "|u1", false, ofFile, new byte[6]);
        int[] shape =
                Stream.of(ofBuffer.split(",", -1)).mapToInt(Integer::parseInt).toArray();
        if (fits) {
            RankFiles.check(file, "the buffer 'x'", DType.UINT8, shape);
        } else {
            assertThatThrownBy(() -> RankFiles.check(file, "the buffer 'x'", DType.UINT8, shape))
                    .isInstanceOf(ValueFileException.class)
                    .hasMessageStartingWith(file + ": has the shape " + ofFile + ", and the buffer 'x' (");
        }
    }

    @Test
    void whatIsNoFileOfValuesIsRefused() throws IOException {
        Path missing = folder.resolve("missing.npy");
        assertThatThrownBy(() -> ValueFiles.read(missing, DType.INT8)).hasMessage(missing + ": there is no such file");
        Path noArchive = folder.resolve("missing.npz");
        assertThatThrownBy(() -> ValueFiles.read(noArchive, DType.INT8))
                .hasMessage(noArchive + ": there is no such file");
        Path text = Files.writeString(folder.resolve("text.npy"), "1, 2, 3");
        assertThatThrownBy(() -> ValueFiles.read(text, DType.INT8))
                .hasMessage(
                        text + ": is not a .npy file: it does not start with the magic string \\x93NUMPY. Write it with"
                                + " numpy.save.");
        Path version = raw(9, "{}", new byte[0]);
        assertThatThrownBy(() -> ValueFiles.read(version, DType.INT8))
                .hasMessage(version + ": is in version 9.0 of the .npy format. Versions 1.0, 2.0 and 3.0 are read.");
        Path odd = Files.write(folder.resolve("odd.bin"), new byte[7]);
        assertThatThrownBy(() -> ValueFiles.read(odd, DType.INT32))
                .hasMessage(
                        odd + ": has 7 bytes, which are not a whole number of int32 elements of 4 bytes. The file is"
                                + " truncated, or its elements are of another type.");
        assertThatThrownBy(() -> ValueFiles.read(odd))
                .hasMessage(odd + ": a .bin file does not say what its elements are. Give their type.");
        Path csv = folder.resolve("values.csv");
        assertThatThrownBy(() -> ValueFiles.read(csv, DType.INT8))
                .hasMessage(
                        csv + ": its name does not say in which format it is. Give a name that ends in .npy, .npz or"
                                + " .bin.");
    }

    @Test
    void anArchiveNeedsAnArrayOfItsNameIfItHasSeveral() throws IOException {
        Path file = folder.resolve("two.npz");
        byte[] array = Files.readAllBytes(npy(1, "|u1", false, "(1,)", new byte[] {7}));
        archive(file, array, "a.npy", "b.npy");
        assertThatThrownBy(() -> ValueFiles.read(file))
                .hasMessage(
                        file + ": has 2 arrays, and none of them is named two. Write numpy.savez(file, two=array).");
        archive(file, array, "a.npy", "two.npy");
        assertThat(ValueFiles.read(file)).isEqualTo(Values.uint8(7));
    }

    @Test
    void aShapeHasAsManyElementsAsThereAre() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ValueFiles.write(folder.resolve("x.npy"), Values.float32(1, 2), 3))
                .withMessageContaining("a shape of 3 elements was given for 2 values");
    }

    @Test
    void aFileInAFolderThatIsMissingIsNotWritten() {
        Path file = folder.resolve("no").resolve("x.npy");
        assertThatThrownBy(() -> ValueFiles.write(file, Values.float32(1)))
                .isInstanceOf(ValueFileException.class)
                .hasMessageStartingWith(file + ": cannot be written: ");
    }

    private static void archive(Path file, byte[] array, String... names) throws IOException {
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(file))) {
            for (String name : names) {
                out.putNextEntry(new ZipEntry(name));
                out.write(array);
            }
        }
    }

    private Path npy(int version, String descr, boolean fortran, String shape, byte[] data) throws IOException {
        return raw(
                version,
                "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': " + shape
                        + ", }",
                data);
    }

    private Path raw(int version, String dictionary, byte[] data) throws IOException {
        byte[] header = (dictionary + "\n").getBytes(StandardCharsets.UTF_8);
        ByteBuffer content =
                ByteBuffer.allocate(12 + header.length + data.length).order(ByteOrder.LITTLE_ENDIAN);
        content.put((byte) 0x93).put("NUMPY".getBytes(StandardCharsets.US_ASCII));
        content.put((byte) version).put((byte) 0);
        if (version == 1) {
            content.putShort((short) header.length);
        } else {
            content.putInt(header.length);
        }
        content.put(header).put(data);
        Path file = folder.resolve("raw.npy");
        Files.write(file, Arrays.copyOf(content.array(), content.position()));
        return file;
    }
}
