package org.rankunit.benchmarks.golden;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;
import org.rankunit.DType;
import org.rankunit.Values;
import org.rankunit.benchmarks.measure.CPeer;
import org.rankunit.benchmarks.measure.Figure;
import org.rankunit.benchmarks.measure.Quantile;
import org.rankunit.golden.Golden;
import org.rankunit.golden.GoldenMismatchError;

/**
 * How fast an output is compared with its golden on one core, beside the speed at which that core reads memory, and NumPy.
 *
 * <p>Every third element of a floating output is one step off, within the tolerance; a failing comparison finds one element in a
 * thousand, or every one, outside of it. The expected elements are random ones between 1 and 100. The output and the golden are in
 * memory, and have as many bytes for each type.
 */
public final class GoldenSuite {

    private static final int WARM_UP = 5;

    private static final int PIECE = 1 << 16;

    private final int bytes;
    private final int passes;
    private final Path peers;
    private final CPeer reader;

    public GoldenSuite(boolean quick, Path peers, Path output) {
        this.bytes = quick ? 32 << 20 : 256 << 20;
        this.passes = quick ? 3 : 9;
        this.peers = peers;
        this.reader = new CPeer(output.resolve("two_streams"));
    }

    public List<Figure> run() throws IOException, InterruptedException {
        List<Figure> figures = new ArrayList<>();
        List<Double> bandwidth = reader.isPresent() ? reader.run(List.of()) : List.of();
        List<Double> floats = gigabytes(DType.FLOAT32, 0);
        figures.add(speed("float32, passing", floats, bandwidth));
        numpy(figures, "float32", DType.FLOAT32, floats);
        failing(figures, DType.FLOAT32, floats);
        for (DType type : List.of(DType.FLOAT64, DType.FLOAT16, DType.BFLOAT16, DType.INT32)) {
            List<Double> passing = gigabytes(type, 0);
            figures.add(Figure.ratio(type + ", passing", median(passing), "GB/s", 0.5, "float32", median(floats))
                    .orMore()
                    .spreadOf(passing, floats));
            failing(figures, type, passing);
        }
        return figures;
    }

    private Figure speed(String name, List<Double> values, List<Double> bandwidth) {
        @Nullable Double peer = bandwidth.isEmpty() ? null : median(bandwidth);
        return Figure.ratio(name, median(values), "GB/s", 0.5, "two streams", peer)
                .orMore()
                .spreadOf(values, bandwidth);
    }

    private void numpy(List<Figure> figures, String dtype, DType type, List<Double> ours)
            throws IOException, InterruptedException {
        List<Double> theirs = new ArrayList<>();
        Process peer = new ProcessBuilder(
                        "python3",
                        peers.resolve("numpy_compare.py").toString(),
                        dtype,
                        Integer.toString(bytes / type.byteSize()),
                        Integer.toString(Math.min(passes, 3)))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String output = new String(peer.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (peer.waitFor() == 0) {
            output.lines()
                    .map(Double::valueOf)
                    .map(seconds -> speed(seconds))
                    .forEach(theirs::add);
        }
        figures.add(Figure.ratio(
                        dtype + ", passing",
                        median(ours),
                        "GB/s",
                        5,
                        "assert_allclose",
                        theirs.isEmpty() ? null : median(theirs))
                .orMore()
                .spreadOf(ours, theirs));
    }

    private void failing(List<Figure> figures, DType type, List<Double> passing) {
        failing(figures, type + ", one in 1,000 wrong", gigabytes(type, 1000), 0.5, passing);
        failing(figures, type + ", all wrong", gigabytes(type, 1), 0.1, passing);
    }

    private void failing(List<Figure> figures, String name, List<Double> failing, double goal, List<Double> passing) {
        figures.add(Figure.ratio(name, median(failing), "GB/s", goal, "passing", median(passing))
                .orMore()
                .spreadOf(failing, passing));
    }

    /** @param wrongEvery one element in so many is outside the tolerance; 0 for none */
    private List<Double> gigabytes(DType type, int wrongEvery) {
        Random random = new Random(1);
        Values wanted = values(type, i -> 1 + 99 * random.nextFloat());
        int fraction = fractionBits(type);
        Values output = values(type, i -> {
            double number = type.isFloating() ? wanted.doubleAt(i) : wanted.longAt(i);
            double step = type.isFloating() && i % 3 == 0 ? Math.scalb(1.0, Math.getExponent(number) - fraction) : 0;
            return wrongEvery > 0 && i % wrongEvery == 0 ? number + 1 : number + step;
        });
        Golden golden = Golden.of("output", wanted);
        List<Double> speeds = new ArrayList<>();
        for (int pass = 0; pass < WARM_UP + passes; pass++) {
            long begin = System.nanoTime();
            boolean failed = false;
            try {
                golden.verify(output);
            } catch (GoldenMismatchError e) {
                failed = true;
            }
            double seconds = (System.nanoTime() - begin) / 1e9;
            if (failed != wrongEvery > 0) {
                throw new IllegalStateException("the comparison of " + type + " went wrong");
            }
            if (pass >= WARM_UP) {
                speeds.add(speed(seconds));
            }
        }
        return speeds;
    }

    private double speed(double seconds) {
        return 2.0 * bytes / seconds / 1e9;
    }

    private static int fractionBits(DType type) {
        return switch (type) {
            case FLOAT64 -> 52;
            case FLOAT16 -> 10;
            case BFLOAT16 -> 7;
            default -> 23;
        };
    }

    /** Makes numbers of a type in small pieces. */
    private Values values(DType type, IntToDoubleFunction numberAt) {
        int count = bytes / type.byteSize();
        return Values.filled(type, count, memory -> {
            double[] piece = new double[PIECE];
            for (int from = 0; from < count; from += PIECE) {
                for (int i = 0; i < PIECE; i++) {
                    piece[i] = numberAt.applyAsDouble(from + i);
                }
                memory.put(encoded(type, piece));
            }
        });
    }

    private static byte[] encoded(DType type, double[] numbers) {
        Values values = type.isFloating()
                ? Values.rounded(type, numbers)
                : Values.int32(DoubleStream.of(numbers).mapToInt(number -> (int) number).toArray());
        return values.encode();
    }

    private static double median(List<Double> values) {
        return Quantile.of(values, 0.5);
    }
}
