package org.rankunit.golden.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.DType;
import org.rankunit.Values;

/** Our files and those of the real NumPy are the same; skipped where there is none. */
@Tag("ranks")
@Timeout(120)
class NumpyTest {

    private static final String PYTHON = "python3";
    private static final long LIMIT_SECONDS = 60;

    @TempDir
    Path folder;

    private static final Set<DType> NUMPY_LACKS =
            EnumSet.of(DType.BFLOAT16, DType.FLOAT8_E4M3FN, DType.FLOAT8_E5M2, DType.HIFLOAT8);

    @BeforeAll
    static void numpyIsInstalled() throws Exception {
        assumeTrue(run(Path.of("").toAbsolutePath(), "import numpy").isEmpty(), "there is no python3 with numpy");
    }

    /** What Python prints; "failed" and its errors if it does not succeed. */
    private static String run(Path folder, String program) throws InterruptedException {
        try {
            Path out = Files.createTempFile("numpy", ".txt");
            try {
                Process python = new ProcessBuilder(PYTHON, "-c", program)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(out.toFile())
                        .start();
                if (!python.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                    python.destroyForcibly();
                    return "failed: it took too long";
                }
                return (python.exitValue() == 0 ? "" : "failed: ") + Files.readString(out, StandardCharsets.UTF_8);
            } finally {
                Files.deleteIfExists(out);
            }
        } catch (IOException e) {
            return "failed: " + e;
        }
    }

    @Test
    void numpyReadsTheBitsThatWeWrite() throws Exception {
        for (DType type : DType.values()) {
            byte[] bits = new byte[6 * type.byteSize()];
            new Random(type.toString().hashCode()).nextBytes(bits);
            Values values = Values.decode(type, bits);
            ValueFiles.write(folder.resolve(type + ".npy"), values, 2, 3);
            ValueFiles.write(folder.resolve(type + ".npz"), values, 2, 3);
            ValueFiles.write(folder.resolve(type + ".bin"), values);
        }

        assertThat(run(folder, """
                import glob, numpy
                for name in glob.glob("*.npy"):
                    array = numpy.load(name)
                    stem = name[:-4]
                    raw = open(stem + ".bin", "rb").read()
                    assert array.shape == (2, 3), name
                    assert array.flags.c_contiguous, name
                    assert array.tobytes() == raw, name
                    assert array.dtype.name == {"bfloat16": "uint16", "float8_e4m3fn": "uint8", "float8_e5m2": "uint8",
                                                "hifloat8": "uint8"}.get(stem, stem), (name, array.dtype)
                    assert numpy.load(stem + ".npz")[stem].tobytes() == raw, name
                """)).isEmpty();
    }

    @Test
    void weReadTheBitsThatNumpyWrites() throws Exception {
        assertThat(run(folder, """
                import numpy
                from numpy.lib import format
                random = numpy.random.default_rng(7)
                for name in ["float16", "float32", "float64", "int8", "int16", "int32", "int64",
                             "uint8", "uint16", "uint32", "uint64", "bool"]:
                    size = numpy.dtype(name).itemsize
                    bits = random.integers(0, 2 if name == "bool" else 256, 24 * size, dtype=numpy.uint8)
                    array = bits.view(name).reshape(2, 3, 4)
                    numpy.save(name + ".npy", array)
                    numpy.savez(name + ".npz", other=array[0], **{name: array})
                    numpy.savez_compressed(name + "-1.npz", array)
                    for version in (1, 2, 3):
                        with open(name + "-v%d.npy" % version, "wb") as file:
                            format.write_array(file, array, (version, 0))
                    array.tofile(name + ".bin")
                """)).isEmpty();

        for (DType type : DType.values()) {
            if (NUMPY_LACKS.contains(type)) {
                continue;
            }
            Values expected = ValueFiles.read(folder.resolve(type + ".bin"), type);
            assertThat(expected.count()).isEqualTo(24);
            for (String name : new String[] {".npy", ".npz", "-1.npz", "-v1.npy", "-v2.npy", "-v3.npy"}) {
                assertThat(ValueFiles.read(folder.resolve(type + name), type)).isEqualTo(expected);
                assertThat(ValueFiles.read(folder.resolve(type + name))).isEqualTo(expected);
            }
        }
    }

    @Test
    void whatNumpyWritesInOtherFormsIsRefusedByName() throws Exception {
        assertThat(run(folder, """
                import numpy
                numpy.save("fortran.npy", numpy.asfortranarray(numpy.ones((2, 3), "f4")))
                numpy.save("column.npy", numpy.asfortranarray(numpy.ones((3, 1), "f4")))
                numpy.save("big.npy", numpy.ones(3, ">f4"))
                numpy.save("objects.npy", numpy.array([1, None], dtype=object))
                numpy.save("structured.npy", numpy.zeros(2, [("a", "f4"), ("b", "i4")]))
                numpy.save("complex.npy", numpy.ones(2, "c8"))
                """)).isEmpty();

        assertThat(ValueFiles.read(folder.resolve("column.npy"))).isEqualTo(Values.float32(1, 1, 1));
        assertThat(refusal("fortran")).contains("is in Fortran order, with the shape (2, 3)");
        assertThat(refusal("big")).contains("is big-endian (>f4)");
        assertThat(refusal("objects")).contains("has Python objects (|O), which are never unpickled");
        assertThat(refusal("structured")).contains("has elements of the structured type [('a', '<f4'), ('b', '<i4')]");
        assertThat(refusal("complex")).contains("has elements of type <c8");
    }

    private String refusal(String name) {
        try {
            return "read: " + ValueFiles.read(folder.resolve(name + ".npy"), DType.FLOAT32);
        } catch (ValueFileException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
