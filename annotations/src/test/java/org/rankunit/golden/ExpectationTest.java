package org.rankunit.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rankunit.Buffer;
import org.rankunit.DType;
import org.rankunit.Placement;
import org.rankunit.RankBuffer;
import org.rankunit.Values;
import org.rankunit.golden.files.ValueFileException;
import org.rankunit.golden.files.ValueFiles;

/** What becomes the expected values when the output is known. */
@Tag("unit")
class ExpectationTest {

    private static final Values MATRIX = Values.float32(1, 2, 3, 4, 5, 6);

    private static String refused(Golden golden, RankBuffer output) {
        return String.valueOf(catchThrowableOfType(GoldenMismatchError.class, () -> golden.verify(output))
                .getMessage());
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "BOOL")
    void literalsAreNumbersOfTheBuffersType(DType type) {
        RankBuffer output = ReadOutput.of(Values.exactly(type, 2L, 4L));

        assertThat(Golden.of("x", 2, 4).verify(output).passed()).isTrue();
        assertThat(Golden.of("x", 2L, 4L).verify(output).passed()).isTrue();
        assertThat(Golden.of("x", 2.0, 4.0).verify(output).passed()).isTrue();
        assertThat(refused(Golden.of("x", 2, 3), output)).startsWith("x: 1 of 2 elements differs");
        output.verify(2, 4);
        output.verify(2L, 4L);
        output.verify(2.0, 4.0);
    }

    @Test
    void aLiteralThatTheTypeDoesNotHoldIsRefused() {
        assertThat(refused(Golden.of("x", 2, 0.1), ReadOutput.of(Values.float32(2, 0.1f))))
                .startsWith("x: expected 2 x float64, was 2 x float32. [1]: no float32 is exactly 0.1. ");
        assertThat(refused(Golden.of("x", 300), ReadOutput.of(Values.uint8(44))))
                .startsWith("x: expected 1 x int32, was 1 x uint8. [0]: ");
        assertThat(refused(Golden.of("x", 1), ReadOutput.of(Values.bool(true))))
                .isEqualTo("x: expected 1 x int32, was 1 x bool. bool holds no numbers. Give true and false.");
    }

    @Test
    void literalsAreNotBroadcast() {
        assertThat(refused(Golden.of("x", 2), ReadOutput.of(Values.float32(2, 2))))
                .isEqualTo("x: expected 1 x float32, was 2 x float32");
    }

    @Test
    void theToleranceIsThatOfTheBuffersType() {
        float near = Math.nextUp(1f);
        assertThat(Golden.of("x", 1).verify(ReadOutput.of(Values.float32(near))).rtol())
                .isEqualTo(1.3e-6);
        assertThat(refused(Golden.of("x", 1).exactBits(), ReadOutput.of(Values.float32(near))))
                .startsWith("x: the only element differs");
        assertThat(Golden.of("x", 1.0)
                        .within(0.1, 0)
                        .verify(ReadOutput.of(Values.float16(1.05f)))
                        .passed())
                .isTrue();
    }

    @Test
    void theStandardHasToBeOneForTheBuffersType() {
        RankBuffer floats = ReadOutput.of(Values.float32(1.001f, 2));
        RankBuffer integers = ReadOutput.of(Values.int32(1, 2));

        for (Golden golden : List.of(Golden.of("x", 1, 2), Golden.of("x", 1L, 2L), Golden.of("x", 1.0, 2.0))) {
            assertThat(golden.within(0, 0.01).verify(floats).passed()).isTrue();
            assertThat(golden.using(Criterion.mixedTolerance())
                            .verify(ReadOutput.of(Values.float32(1, 2)))
                            .passed())
                    .isTrue();
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> golden.within(0, 0.01).verify(integers))
                    .withMessageStartingWith("x: int32 is compared exactly, so within(0.0, 0.01) cannot apply.");
        }
        assertThat(refused(Golden.of("x", 1, 300).within(0, 0.01), ReadOutput.of(Values.uint8(1, 44))))
                .startsWith("x: expected 2 x int32, was 2 x uint8. [1]: ");
    }

    @Test
    void aLongGivesTheBitsOfAnUnsignedNumber() {
        RankBuffer output = ReadOutput.of(Values.uint64(-1, 2));

        assertThat(Golden.of("x", -1L, 2L).verify(output).passed()).isTrue();
        assertThat(refused(Golden.of("x", -1, 2), output)).endsWith("[0]: no uint64 is exactly -1.");
    }

    @Test
    void everyElementIsTheSameNumber() {
        assertThat(Golden.filled("x", 7)
                        .verify(Values.int16((short) 7, (short) 7))
                        .passed())
                .isTrue();
        assertThat(Golden.filled("x", 0.5)
                        .within(0, 0)
                        .verify(ReadOutput.of(Values.float16(0.5f)))
                        .passed())
                .isTrue();
        assertThat(refused(Golden.filled("x", 7), ReadOutput.of(Values.uint8(7, 8, 7))))
                .startsWith("x: 1 of 3 elements differs");
        assertThat(refused(Golden.filled("x", 0.1), ReadOutput.of(Values.float32(0.1f))))
                .startsWith("x: [0]: no float32 is exactly 0.1. ");
        assertThat(refused(Golden.filled("x", 1), ReadOutput.of(Values.float32())))
                .contains("nothing was compared");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        Golden.filled("x", 1).using(Criterion.cosine(0.9)).verify(ReadOutput.of(Values.int32(1))));
    }

    private static final Values TEN = Values.float32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);

    @Test
    void onlyASliceIsCompared() {
        RankBuffer output = new ReadOutput(TEN, 2, 5);

        assertThat(Golden.of("x", 3, 4, 5).slice(3, 6).verify(output)).satisfies(summary -> {
            assertThat(summary.passed()).isTrue();
            assertThat(summary.count()).isEqualTo(3);
        });
        assertThat(Golden.of("x", 9f).slice(9, 10).verify(TEN).passed()).isTrue();
        assertThat(Golden.filled("x", 4).slice(4, 5).verify(output).passed()).isTrue();
        Golden wrong = Golden.of("x", 3, 4, 7, 8).slice(3, 7);
        assertThat(refused(wrong, output))
                .startsWith("x: 2 of 4 elements differ (50.0 %), from [5] to [6]")
                .contains("[5] = [1, 0]", "expected 7.0  was 5.0", "[6] = [1, 1]", "compared   only [3, 7)")
                .doesNotContain("pattern");
        assertThatExceptionOfType(GoldenMismatchError.class)
                .isThrownBy(() -> wrong.verify(output))
                .satisfies(error -> assertThat(error.summary().samples())
                        .extracting(GoldenSample::index)
                        .containsExactly(5, 6));
    }

    @Test
    void aSliceThatIsNotInTheOutputIsRefused() {
        assertThat(refused(Golden.of("x", 1f, 2f).slice(9, 11), ReadOutput.of(TEN)))
                .endsWith("The slice [9, 11) is not inside the output, which has 10 elements.");
        assertThat(refused(Golden.of("x", 1f).slice(3, 5), ReadOutput.of(TEN)))
                .isEqualTo("x: expected 1 x float32, was 2 x float32");
        assertThat(refused(Golden.of("x", new float[0]).slice(3, 3), ReadOutput.of(TEN)))
                .contains("nothing was compared");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Golden.of("x", 1f).slice(5, 3))
                .withMessage("x: slice(5, 3) is not a range of elements.");
        assertThatIllegalArgumentException().isThrownBy(() -> Golden.of("x", 1f).slice(-1, 3));
    }

    @Test
    void onlyElementsOfAMaskAreCompared() {
        boolean[] even = new boolean[10];
        for (int i = 0; i < even.length; i += 2) {
            even[i] = true;
        }
        Values odd = Values.float32(0, 100, 2, 100, 4, 100, 60, 100, 8, 100);

        assertThat(Golden.of("x", TEN)
                        .where(even)
                        .verify(Values.float32(0, -1, 2, -1, 4, -1, 6, -1, 8, -1))
                        .count())
                .isEqualTo(5);
        assertThat(refused(Golden.of("x", TEN).where(even), ReadOutput.of(odd)))
                .startsWith("x: 1 of 5 elements differs (20.0 %), at [6]")
                .contains("[6]", "expected 6.0", "was 60.0", "compared   only a mask of 5 elements");
        assertThat(refused(Golden.of("x", TEN).where(new boolean[10]), ReadOutput.of(TEN)))
                .contains("nothing was compared");
        assertThat(refused(Golden.of("x", TEN).where(true), ReadOutput.of(TEN)))
                .endsWith("The mask has 1 elements, and the output 10.");
        assertThat(refused(Golden.of("x", 1f, 2f).where(even), ReadOutput.of(TEN)))
                .endsWith("The mask has 10 elements, and the golden 2.");
    }

    @Test
    void aSelectionIsNotReplacedByAnother() {
        Golden masked = Golden.of("x", TEN).where(false, true);
        Golden sliced = Golden.of("x", 3f, 4f).slice(3, 5);

        assertThatIllegalStateException()
                .isThrownBy(() -> masked.slice(0, 1))
                .withMessageStartingWith("x: it compares only a mask of 1 elements, and slice() or where()");
        assertThatIllegalStateException().isThrownBy(() -> sliced.where(true, true));
        assertThatIllegalStateException().isThrownBy(() -> sliced.slice(0, 2));
    }

    @Test
    void whatTheTypeDoesNotHoldIsSaidWhateverTheStandard() {
        assertThat(refused(Golden.filled("x", 0.5).using(Criterion.quantized()), ReadOutput.of(Values.int8((byte) 1))))
                .isEqualTo("x: [0]: no int8 is exactly 0.5.");
    }

    @Test
    void aSelectionIsAComparisonOfTheOutput() {
        List<String> verified = new ArrayList<>();
        GoldenLog.install(new GoldenLog.Sink() {

            @Override
            public void verified(GoldenSummary summary, long nanos) {}

            @Override
            public void verifies(RankBuffer buffer) {
                verified.add(buffer.name());
            }
        });
        try {
            Golden.of("x", 3f).slice(3, 4).verify(ReadOutput.of(TEN));
        } finally {
            GoldenLog.reset();
        }
        assertThat(verified).containsExactly("output");
    }

    @Test
    void aMatrixIsGivenByItsRows() {
        float[][] rows = {{1, 2, 3}, {4, 5, 6}};
        float[][] transposed = {{1, 4}, {2, 5}, {3, 6}};
        float[][] sameBytes = {{1, 2}, {3, 4}, {5, 6}};

        assertThat(Golden.of("m", rows).verify(new ReadOutput(MATRIX, 2, 3)).passed())
                .isTrue();
        assertThat(Golden.of("m", rows).verify(ReadOutput.of(MATRIX)).passed())
                .as("an output without a shape")
                .isTrue();
        new ReadOutput(MATRIX, 2, 3).verify(rows);
        for (float[][] other : new float[][][] {transposed, sameBytes}) {
            assertThat(refused(Golden.of("m", other), new ReadOutput(MATRIX, 2, 3)))
                    .isEqualTo("m: expected 6 x float32, was 6 x float32. The rows have 2 elements, and those of the"
                            + " shape [2, 3] have 3.");
            assertThatIllegalArgumentException().isThrownBy(() -> new ReadOutput(MATRIX, 2, 3).verify(other));
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Golden.of("m", new float[][] {{1, 2}, {3}}))
                .withMessage("row 1 has 1 elements, and row 0 has 2. All rows of a matrix have the same length.");
    }

    @Test
    void aFileHasTheTypeAndTheShapeOfTheOutput(@TempDir Path folder) {
        Path npy = folder.resolve("m.npy");
        ValueFiles.write(npy, MATRIX, 2, 3);
        Golden golden = Golden.ofFile("m", npy);

        assertThat(golden.verify(new ReadOutput(MATRIX, 2, 3)).passed()).isTrue();
        assertThat(golden.verify(MATRIX).passed()).isTrue();
        assertThat(refused(golden, new ReadOutput(Values.float32(1, 2, 3, 4, 5, 7), 2, 3)))
                .startsWith("m: 1 of 6 elements differs");
        assertThatExceptionOfType(ValueFileException.class)
                .isThrownBy(() -> golden.verify(new ReadOutput(MATRIX, 3, 2)))
                .withMessageContaining("has the shape (2, 3), and the output (3, 2)");
        assertThatExceptionOfType(ValueFileException.class)
                .isThrownBy(() -> golden.verify(ReadOutput.of(Values.float16(1, 2, 3, 4, 5, 6))));
        assertThatExceptionOfType(ValueFileException.class)
                .isThrownBy(() -> golden.verify(ReadOutput.of(Values.float32(1, 2))))
                .withMessageContaining("has 6 x float32, and the output has 2");
        assertThatExceptionOfType(ValueFileException.class)
                .isThrownBy(
                        () -> Golden.ofFile("m", folder.resolve("absent.npy")).verify(MATRIX))
                .withMessageContaining("absent.npy");
    }

    /** An output that remembers what was written. */
    private static final class Written implements RankBuffer {

        private final DType type;
        private final int[] shape;
        private Values written = Values.float32();

        Written(DType type, int... shape) {
            this.type = type;
            this.shape = shape;
        }

        @Override
        public String name() {
            return "w";
        }

        @Override
        public DType type() {
            return type;
        }

        @Override
        public int count() {
            return shape[0] * (shape.length > 1 ? shape[1] : 1);
        }

        @Override
        public int[] shape() {
            return shape.clone();
        }

        @Override
        public Buffer.Role role() {
            return Buffer.Role.INPUT;
        }

        @Override
        public Placement placement() {
            return Placement.DEVICE;
        }

        @Override
        public long address() {
            return 0;
        }

        @Override
        public void write(Values values) {
            written = values;
        }

        @Override
        public Values read() {
            return written;
        }

        @Override
        public void verify(Values expected) {
            Golden.of(name(), expected).verify(this);
        }
    }

    @Test
    void matricesAndSingleNumbersAreWritten() {
        Written matrix = new Written(DType.FLOAT16, 2, 3);
        matrix.write(new float[][] {{1, 2, 3}, {4, 5, 0.1f}});
        assertThat(matrix.read()).isEqualTo(Values.float16(1, 2, 3, 4, 5, 0.1f));
        matrix.verify(new float[][] {{1, 2, 3}, {4, 5, 0.1f}});
        assertThatIllegalArgumentException()
                .isThrownBy(() -> matrix.write(new float[][] {{1, 2}, {3, 4}, {5, 6}}))
                .withMessage("The rows have 2 elements, and those of the shape [2, 3] have 3.");

        Written numbers = new Written(DType.INT8, 3);
        numbers.fill(-5);
        assertThat(numbers.read()).isEqualTo(Values.int8((byte) -5, (byte) -5, (byte) -5));
        assertThatIllegalArgumentException().isThrownBy(() -> numbers.fill(128));
    }
}
