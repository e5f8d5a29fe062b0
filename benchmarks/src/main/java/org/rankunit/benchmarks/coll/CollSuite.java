package org.rankunit.benchmarks.coll;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rankunit.DType;
import org.rankunit.benchmarks.measure.CPeer;
import org.rankunit.benchmarks.measure.Figure;
import org.rankunit.benchmarks.measure.GlooPeer;
import org.rankunit.benchmarks.measure.OtherJvm;
import org.rankunit.benchmarks.measure.Quantile;

/**
 * Collectives by schedules that run on windows, called from Java: all-reduce and all-gather beside Open MPI's from C, plain
 * loops over shared memory, and gloo; the two halves beside float32; large schedules verified and simulated.
 */
public final class CollSuite {

    private static final List<Integer> SIZES = List.of(1 << 10, 64 << 10, 1 << 20, 16 << 20, 64 << 20);
    private static final List<Integer> SIZES_OF_HALVES = List.of(64 << 10, 1 << 20, 16 << 20);
    private static final List<Integer> SIZES_OF_MANY = List.of(64 << 10, 1 << 20, 16 << 20);
    private static final String IN_WINDOWS = "windows";
    private static final String COPIED = "copied";
    /** The most that our time may be of Open MPI's. */
    private static final double OF_MPI = 1 / 1.5;
    /** The same if inputs and outputs are copied. */
    private static final double OF_MPI_WITH_COPIES = 1;
    /** The most that our time may be of that of the plain loops. */
    private static final double OF_LOOPS = 1 / 0.7;
    /** The most that a sum of halves may take of the time of as many bytes of float32. */
    private static final double OF_FLOAT32 = 2;
    /** The most that 1 KiB may take on 2 ranks, in microseconds. */
    private static final double SMALLEST = 5;

    private final boolean quick;
    private final Path output;
    private final CPeer mpi;
    private final CPeer loops;
    private final GlooPeer gloo;

    public CollSuite(boolean quick, Path peers, Path output) throws IOException, InterruptedException {
        this.quick = quick;
        this.output = output;
        this.mpi = new CPeer(output.resolve("mpi_collectives"));
        this.loops = new CPeer(output.resolve("shared_collectives"));
        this.gloo = new GlooPeer(peers.resolve("gloo_collectives.py"));
    }

    public List<Figure> run() throws IOException, InterruptedException {
        List<Figure> figures = new ArrayList<>();
        for (int ranks : List.of(2, 4)) {
            for (String collective : List.of("all-reduce", "all-gather")) {
                for (int bytes : SIZES) {
                    figures.addAll(besidePeers(collective, ranks, bytes));
                }
            }
        }
        for (int ranks : List.of(2, 4)) {
            for (String collective : List.of("all-reduce", "all-gather")) {
                for (int bytes : SIZES.subList(1, SIZES.size())) {
                    figures.add(copiedBesideMpi(collective, ranks, bytes));
                }
            }
        }
        for (int ranks : List.of(8, 16)) {
            for (int bytes : SIZES_OF_MANY) {
                figures.add(ofManyBesideMpi(ranks, bytes));
            }
        }
        for (DType type : List.of(DType.FLOAT16, DType.BFLOAT16)) {
            for (int bytes : SIZES_OF_HALVES) {
                figures.add(besideFloat32(type, bytes));
            }
        }
        figures.addAll(ScheduleFigures.measured());
        return figures;
    }

    private List<Figure> besidePeers(String collective, int ranks, int bytes) throws IOException, InterruptedException {
        List<Double> ours = new ArrayList<>();
        List<Double> ofMpi = new ArrayList<>();
        List<Double> ofLoops = new ArrayList<>();
        List<Double> ofGloo = new ArrayList<>();
        String size = Integer.toString(bytes);
        String runs = Integer.toString(runs(bytes, ranks));
        for (int round = 0; round < rounds(); round++) {
            ours.add(ours(collective, DType.FLOAT32, ranks, bytes, IN_WINDOWS));
            addMpi(collective, ranks, bytes, ofMpi);
            if (loops.isPresent()) {
                ofLoops.add(loops.run(List.of(), Integer.toString(ranks), collective, size, runs)
                        .get(0));
            }
            Double gloos = gloo.run(Integer.toString(ranks), collective, size, runsOfGloo(bytes, ranks));
            if (gloos != null) {
                ofGloo.add(gloos);
            }
        }
        String name = collective + ", " + ranks + " ranks, " + (bytes >> 10) + " KiB";
        double median = Quantile.of(ours, 0.5);
        List<Figure> figures = new ArrayList<>();
        if (bytes == SIZES.get(0)) {
            figures.add(new Figure(
                    name, median, "us", ranks == 2 ? SMALLEST : Double.NaN, "Open MPI from C", medianOf(ofMpi)));
        } else {
            figures.add(Figure.ratio(name, median, "us", OF_MPI, "Open MPI from C", medianOf(ofMpi))
                    .spreadOf(ours, ofMpi));
        }
        figures.add(Figure.ratio(name, median, "us", OF_LOOPS, "loops in C", medianOf(ofLoops))
                .spreadOf(ours, ofLoops));
        figures.add(new Figure(name, median, "us", Double.NaN, "gloo", medianOf(ofGloo)).spreadOf(ours, ofGloo));
        return figures;
    }

    /** Inputs and outputs are in memory of the devices that others do not reach, as those of MPI. */
    private Figure copiedBesideMpi(String collective, int ranks, int bytes) throws IOException, InterruptedException {
        List<Double> ours = new ArrayList<>();
        List<Double> ofMpi = new ArrayList<>();
        for (int round = 0; round < rounds(); round++) {
            ours.add(ours(collective, DType.FLOAT32, ranks, bytes, COPIED));
            addMpi(collective, ranks, bytes, ofMpi);
        }
        String name = collective + " with copies, " + ranks + " ranks, " + (bytes >> 10) + " KiB";
        return Figure.ratio(name, Quantile.of(ours, 0.5), "us", OF_MPI_WITH_COPIES, "Open MPI from C", medianOf(ofMpi))
                .spreadOf(ours, ofMpi);
    }

    /** More ranks than cores, so that there is no goal. */
    private Figure ofManyBesideMpi(int ranks, int bytes) throws IOException, InterruptedException {
        List<Double> ours = new ArrayList<>();
        List<Double> ofMpi = new ArrayList<>();
        for (int round = 0; round < 3; round++) {
            ours.add(ours("all-reduce", DType.FLOAT32, ranks, bytes, IN_WINDOWS));
            addMpi("all-reduce", ranks, bytes, ofMpi);
        }
        String name = "all-reduce, " + ranks + " ranks, " + (bytes >> 10) + " KiB";
        return new Figure(name, Quantile.of(ours, 0.5), "us", Double.NaN, "Open MPI from C", medianOf(ofMpi));
    }

    private void addMpi(String collective, int ranks, int bytes, List<Double> times)
            throws IOException, InterruptedException {
        if (mpi.isPresent()) {
            times.add(mpi.run(mpirun(ranks), collective, Integer.toString(bytes), Integer.toString(runs(bytes, ranks)))
                    .get(0));
        }
    }

    private Figure besideFloat32(DType type, int bytes) throws IOException {
        List<Double> halves = new ArrayList<>();
        List<Double> floats = new ArrayList<>();
        for (int round = 0; round < rounds(); round++) {
            halves.add(ours("all-reduce", type, 2, bytes, IN_WINDOWS));
            floats.add(ours("all-reduce", DType.FLOAT32, 2, bytes, IN_WINDOWS));
        }
        return Figure.ratio(
                        "all-reduce of " + type + ", 2 ranks, " + (bytes >> 10) + " KiB",
                        Quantile.of(halves, 0.5),
                        "us",
                        OF_FLOAT32,
                        "float32",
                        Quantile.of(floats, 0.5))
                .spreadOf(halves, floats);
    }

    private static @Nullable Double medianOf(List<Double> values) {
        return values.isEmpty() ? null : Quantile.of(values, 0.5);
    }

    /** In new processes, as the peers: where their memory lies makes a difference. */
    private double ours(String collective, DType type, int ranks, int bytes, String where) throws IOException {
        Path folder = Files.createTempDirectory(Files.createDirectories(output), "coll");
        List<OtherJvm> jvms = new ArrayList<>();
        try {
            for (int rank = 0; rank < ranks; rank++) {
                jvms.add(new OtherJvm(
                        CollRank.class, Integer.toString(rank), Integer.toString(ranks), folder.toString()));
            }
            for (OtherJvm jvm : jvms) {
                jvm.await("up");
            }
            for (OtherJvm jvm : jvms) {
                jvm.say(collective + " " + type.name() + " " + bytes + " " + runs(bytes, ranks) + " " + where);
            }
            List<Double> medians = new ArrayList<>();
            for (OtherJvm jvm : jvms) {
                medians.add(Double.valueOf(String.valueOf(jvm.hear())));
            }
            return medians.get(0);
        } finally {
            jvms.forEach(OtherJvm::close);
        }
    }

    private int rounds() {
        return quick ? 3 : 7;
    }

    private int runs(int bytes, int ranks) {
        return Math.max(quick ? 5 : 10, Math.min(quick ? 2_000 : 10_000, (int) ((256L << 20) / bytes)) / (ranks / 2));
    }

    /** Small ones take milliseconds each on more ranks than cores. */
    private String runsOfGloo(int bytes, int ranks) {
        return Integer.toString(Math.min(500, runs(bytes, ranks)));
    }

    private static List<String> mpirun(int ranks) {
        return List.of(
                "mpirun.openmpi",
                "--allow-run-as-root",
                "--oversubscribe",
                "--bind-to",
                "none",
                "-n",
                Integer.toString(ranks));
    }
}
