package org.rankunit.benchmarks.comm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rankunit.benchmarks.measure.CPeer;
import org.rankunit.benchmarks.measure.Figure;
import org.rankunit.benchmarks.measure.Quantile;

/**
 * The simulator's communicator without any test, from Java: barriers beside Open MPI's from C, bring-up, copies beside memcpy
 * in C, many ranks, many communicators.
 */
public final class CommSuite {

    private static final List<Goals> GOALS =
            List.of(new Goals(2, 1.5, 1.0), new Goals(4, 10, 1.5), new Goals(8, 20, 2.5));
    private static final List<Integer> SIZES = List.of(64 << 10, 1 << 20, 16 << 20, 64 << 20);
    private static final int MANY = 64;

    /** The whole heap is there from the start, so that growth of the process is growth of what is outside of it. */
    private static final List<String> FIXED_HEAP = List.of("-Xms64m", "-Xmx64m", "-XX:+AlwaysPreTouch");

    /**
     * The most that is allowed.
     *
     * @param barrier in microseconds
     * @param bringUp in milliseconds
     */
    private record Goals(int ranks, double barrier, double bringUp) {}

    private final boolean quick;
    private final Path output;
    private final CPeer mpi;
    private final CPeer memcpy;

    public CommSuite(boolean quick, Path output) {
        this.quick = quick;
        this.output = output;
        this.mpi = new CPeer(output.resolve("mpi_barrier"));
        this.memcpy = new CPeer(output.resolve("memcpy_windows"));
    }

    public List<Figure> run() throws IOException, InterruptedException {
        List<Figure> figures = new ArrayList<>();
        for (Goals goals : GOALS) {
            figures.addAll(ofGroup(goals));
        }
        figures.addAll(manyRanks());
        figures.addAll(churn());
        return figures;
    }

    private List<Figure> ofGroup(Goals goals) throws IOException, InterruptedException {
        List<Figure> figures = new ArrayList<>();
        try (CommGroup group = new CommGroup(goals.ranks(), folder())) {
            figures.add(barriers(group, goals));
            figures.add(bringUps(group, goals));
            if (goals.ranks() == 2) {
                figures.addAll(copies(group));
            }
        }
        return figures;
    }

    private Figure barriers(CommGroup group, Goals goals) throws IOException, InterruptedException {
        int ranks = goals.ranks();
        int batches = (quick ? 200 : 2000) / ranks;
        List<Double> ours = new ArrayList<>();
        List<Double> theirs = new ArrayList<>();
        for (int round = 0; round < (quick ? 3 : 9); round++) {
            ours.add(group.askFirst("barriers " + batches));
            if (mpi.isPresent()) {
                theirs.add(mpi.run(mpirun(ranks), Integer.toString(batches)).get(0));
            }
        }
        @Nullable Double peer = theirs.isEmpty() ? null : Quantile.of(theirs, 0.5);
        return new Figure(
                "barrier from Java, " + ranks + " ranks",
                Quantile.of(ours, 0.5),
                "us",
                ranks == 2 && peer != null ? Math.min(goals.barrier(), 4 * peer) : goals.barrier(),
                "Open MPI from C",
                peer);
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

    private Figure bringUps(CommGroup group, Goals goals) throws IOException {
        List<Double> medians = new ArrayList<>();
        for (int round = 0; round < 3; round++) {
            medians.add(group.askFirst("bring-ups " + (quick ? 50 : 300)));
        }
        return new Figure(
                "init, windows, barrier, destroy, " + goals.ranks() + " ranks",
                Quantile.of(medians, 0.5),
                "ms",
                goals.bringUp(),
                null,
                null);
    }

    private List<Figure> copies(CommGroup group) throws IOException, InterruptedException {
        List<Figure> figures = new ArrayList<>();
        for (int bytes : SIZES) {
            List<Double> ours = new ArrayList<>();
            List<Double> theirs = new ArrayList<>();
            int count = count(bytes);
            for (int round = 0; round < (quick ? 3 : 7); round++) {
                ours.add(group.askFirst("copies " + count + " " + bytes));
                if (memcpy.isPresent()) {
                    theirs.add(memcpy.run(List.of(), Integer.toString(count), Integer.toString(bytes))
                            .get(0));
                }
            }
            @Nullable Double peer = theirs.isEmpty() ? null : Quantile.of(theirs, 0.5);
            figures.add(new Figure(
                    "copy between windows from Java, " + (bytes >> 10) + " KiB",
                    Quantile.of(ours, 0.5),
                    "us",
                    peer == null ? Double.NaN : peer / shareOfMemcpy(bytes),
                    "memcpy in C",
                    peer));
        }
        return figures;
    }

    /** The share of memcpy's speed that a copy must reach: a call through JNA weighs at the smallest size only. */
    private static double shareOfMemcpy(int bytes) {
        return bytes <= 64 << 10 ? 0.85 : 0.9;
    }

    private int count(int bytes) {
        return Math.max(quick ? 5 : 15, Math.min(2000, (256 << 20) / bytes));
    }

    private List<Figure> manyRanks() throws IOException {
        long start = System.nanoTime();
        long failed;
        double barrier;
        try (CommGroup group = new CommGroup(MANY, folder())) {
            // One batch of 100, after as many that are not counted.
            List<String> answers = group.ask("barriers 1");
            failed = answers.stream().filter("null"::equals).count();
            barrier = failed == 0 ? Double.parseDouble(answers.get(0)) : Double.NaN;
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        return List.of(
                new Figure("64 ranks: ranks that gave up", failed, "", 0, null, null).mustBeZero(),
                new Figure("64 ranks: barrier", barrier / 1e3, "ms", Double.NaN, null, null),
                new Figure("64 ranks: JVMs, bring-up, 200 barriers, end", seconds, "s", Double.NaN, null, null));
    }

    private List<Figure> churn() throws IOException {
        int count = quick ? 1000 : 10_000;
        List<Figure> figures = new ArrayList<>();
        Path folder = folder();
        try (CommGroup group = new CommGroup(2, folder, FIXED_HEAP)) {
            String[] grown = group.ask("churn " + count).get(0).split(" ", -1);
            String name = count + " communicators: ";
            figures.add(mebibytes(name + "growth of the process", grown[0]));
            figures.add(mebibytes(name + "growth on the heap", grown[1]));
            figures.add(new Figure(name + "descriptors left", Double.parseDouble(grown[2]), "", 0, null, null)
                    .mustBeZero());
            figures.add(
                    new Figure(name + "mappings left", Double.parseDouble(grown[3]), "", 0, null, null).mustBeZero());
        }
        try (var files = Files.list(folder)) {
            figures.add(new Figure("files left", files.count(), "", 0, null, null).mustBeZero());
        }
        return figures;
    }

    private static Figure mebibytes(String name, String kibibytes) {
        return new Figure(name, Double.parseDouble(kibibytes) / 1024, "MiB", 4, null, null);
    }

    private Path folder() throws IOException {
        return Files.createTempDirectory(Files.createDirectories(output), "comm");
    }
}
