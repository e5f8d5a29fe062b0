package org.rankunit.golden.expect;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.DType;
import org.rankunit.Values;
import org.rankunit.golden.files.RankFiles;
import org.rankunit.golden.files.ValueFiles;
import org.rankunit.internal.numbers.Rows;

/** What a golden expects: values, or what becomes values when the output is known. */
@API(status = INTERNAL, since = "0.1")
public sealed interface Expectation {

    /** The values as they are written; empty if only the output says which type and how many. */
    Optional<Values> given();

    /** The values in the type in which they are compared; empty if only the output says which. */
    default Optional<Values> typed() {
        return given();
    }

    /**
     * The values for an output.
     *
     * @param shape its extents; the count alone if it has none
     * @throws IllegalArgumentException if this cannot be expected of it; the message says why
     */
    Values of(DType type, int[] shape);

    /** Values that are compared as they are. */
    record Fixed(Values values) implements Expectation {

        @Override
        public Optional<Values> given() {
            return Optional.of(values);
        }

        @Override
        public Values of(DType type, int[] shape) {
            return values;
        }
    }

    /** Numbers as they stand in the source of a test, which become those of the output's type if it holds them exactly. */
    record Literals(Values numbers) implements Expectation {

        @Override
        public Optional<Values> given() {
            return Optional.of(numbers);
        }

        @Override
        public Optional<Values> typed() {
            return Optional.empty();
        }

        @Override
        public Values of(DType type, int[] shape) {
            if (type == numbers.type()) {
                return numbers;
            }
            if (type == DType.UINT64 && numbers.type() == DType.INT64) {
                return Values.uint64(numbers.toLongs());
            }
            return numbers.type().isFloating()
                    ? Values.exactly(type, numbers.toDoubles())
                    : Values.exactly(type, numbers.toLongs());
        }
    }

    /** The rows of a matrix, one after the other. */
    record Matrix(Values values, int columns) implements Expectation {

        /** Join rows, which have to be equally long. */
        public static Matrix of(float[]... rows) {
            return new Matrix(Values.float32(Rows.joined(rows)), rows.length == 0 ? 0 : rows[0].length);
        }

        @Override
        public Optional<Values> given() {
            return Optional.of(values);
        }

        @Override
        public Values of(DType type, int[] shape) {
            Rows.requireColumns(shape, columns);
            return values;
        }
    }

    /** The same number in every element. */
    record Filled(double number) implements Expectation {

        @Override
        public Optional<Values> given() {
            return Optional.empty();
        }

        @Override
        public Values of(DType type, int[] shape) {
            return Values.repeated(type, number, product(shape));
        }
    }

    /** What a file holds. */
    record OfFile(Path file) implements Expectation {

        @Override
        public Optional<Values> given() {
            return Optional.empty();
        }

        /** Read the file, or say what is wrong with it by a {@link org.rankunit.golden.files.ValueFileException}. */
        @Override
        public Values of(DType type, int[] shape) {
            RankFiles.check(file, "the output", type, shape);
            return ValueFiles.read(file, type);
        }
    }

    private static int product(int[] shape) {
        return Arrays.stream(shape).reduce(1, Math::multiplyExact);
    }
}
