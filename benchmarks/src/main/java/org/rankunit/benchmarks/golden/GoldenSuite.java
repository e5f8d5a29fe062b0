package org.rankunit.benchmarks.golden;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
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
 * <p>Every third element of the output is one step off, within the tolerance; a failing comparison finds one element in a thousand,
 * or every one, outside of it. The expected elements are random ones between 1 and 100. The output and the golden are in memory.
 */
public final class GoldenSuite {

    private static final int WARM_UP = 5;

    private final int count;
    private final int passes;
    private final Path peers;
    private final CPeer reader;

    public GoldenSuite(boolean quick, Path peers, Path output) {
        this.count = quick ? 8 << 20 : 64 << 20;
        this.passes = quick ? 3 : 9;
        this.peers = peers;
        this.reader = new CPeer(output.resolve("two_streams"));
    }

    public List<Figure> run() throws IOException, InterruptedException {
        List<Figure> figures = new ArrayList<>();
        List<Double> bandwidth = reader.isPresent() ? reader.run(List.of()) : List.of();
        List<Double> passing = gigabytes(DType.FLOAT32, 0);
        figures.add(speed("float32, passing", passing, bandwidth));
        numpy(figures, "float32", DType.FLOAT32, passing);
        for (DType type : List.of(DType.FLOAT16, DType.BFLOAT16)) {
            List<Double> half = gigabytes(type, 0);
            figures.add(Figure.ratio(type + ", passing", median(half), "GB/s", 0.5, "float32", median(passing))
                    .orMore()
                    .spreadOf(half, passing));
        }
        failing(figures, "float32, one in 1,000 wrong", 1000, passing);
        failing(figures, "float32, all wrong", 1, passing);
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
                        Integer.toString(count),
                        Integer.toString(Math.min(passes, 3)))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String output = new String(peer.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (peer.waitFor() == 0) {
            output.lines()
                    .map(Double::valueOf)
                    .map(seconds -> gigabytes(type, seconds))
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

    private void failing(List<Figure> figures, String name, int every, List<Double> passing) {
        List<Double> times = gigabytes(DType.FLOAT32, every);
        figures.add(Figure.ratio(name, median(times), "GB/s", 0.5, "passing", median(passing))
                .orMore()
                .spreadOf(times, passing));
    }

    /** @param wrongEvery one element in so many is outside the tolerance; 0 for none */
    private List<Double> gigabytes(DType type, int wrongEvery) {
        Random random = new Random(1);
        float[] numbers = new float[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = 1 + 99 * random.nextFloat();
        }
        Values wanted = Values.rounded(type, numbers);
        int fraction = type == DType.FLOAT16 ? 10 : type == DType.BFLOAT16 ? 7 : 23;
        for (int i = 0; i < count; i++) {
            float number = (float) wanted.doubleAt(i);
            float step = Math.scalb(1f, Math.getExponent(number) - fraction);
            numbers[i] = i % 3 == 0 ? number + step : number;
            if (wrongEvery > 0 && i % wrongEvery == 0) {
                numbers[i] = number + 1;
            }
        }
        Golden golden = Golden.of("output", wanted);
        Values output = Values.rounded(type, numbers);
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
                speeds.add(gigabytes(type, seconds));
            }
        }
        return speeds;
    }

    private double gigabytes(DType type, double seconds) {
        return 2.0 * count * type.byteSize() / seconds / 1e9;
    }

    private static double median(List<Double> values) {
        return Quantile.of(values, 0.5);
    }
}
