package org.rankunit.benchmarks;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.rankunit.benchmarks.coll.CollSuite;
import org.rankunit.benchmarks.comm.CommSuite;
import org.rankunit.benchmarks.faults.FaultSuite;
import org.rankunit.benchmarks.golden.GoldenSuite;
import org.rankunit.benchmarks.kernels.KernelSuite;
import org.rankunit.benchmarks.measure.Figure;
import org.rankunit.benchmarks.overhead.OverheadSuite;
import org.rankunit.benchmarks.pool.Makespans;
import org.rankunit.benchmarks.pool.PoolSuite;
import org.rankunit.benchmarks.report.ReportSuite;
import org.rankunit.benchmarks.runtime.RuntimeSuite;
import org.rankunit.benchmarks.scale.ScaleSuite;
import org.rankunit.benchmarks.slurm.SlurmSuite;

/** Runs one suite and prints its figures; called by {@code run.sh}. */
public final class Benchmarks {

    private Benchmarks() {}

    /** Arguments: suite, folder of the peers, and {@code --quick}, {@code --json} in any order. */
    public static void main(String[] args) throws Exception {
        List<String> options = new ArrayList<>(Arrays.asList(args).subList(2, args.length));
        boolean quick = options.remove("--quick");
        boolean json = options.remove("--json");
        if (!List.of(
                                "overhead",
                                "scale",
                                "faults",
                                "pool",
                                "comm",
                                "collectives",
                                "kernels",
                                "golden",
                                "runtime",
                                "report",
                                "slurm")
                        .contains(args[0])
                || !options.isEmpty()) {
            System.err.println(
                    "usage: run.sh overhead|scale|faults|pool|comm|collectives|kernels|golden|runtime|report|slurm [--quick] [--json]");
            System.exit(2);
        }
        Path peers = Path.of(args[1]);
        Path output = peers.resolveSibling("target").resolve("output");
        List<Figure> figures = switch (args[0]) {
            case "overhead" -> new OverheadSuite(quick, peers).run();
            case "scale" -> new ScaleSuite(quick, output).run();
            case "pool" -> new PoolSuite(quick, output).run();
            case "comm" -> new CommSuite(quick, output).run();
            case "collectives" -> new CollSuite(quick, peers, output).run();
            case "kernels" -> new KernelSuite(quick, output).run();
            case "golden" -> new GoldenSuite(quick, peers, output).run();
            case "runtime" -> new RuntimeSuite(quick, peers).run();
            case "report" -> new ReportSuite(quick, output).run();
            case "slurm" -> new SlurmSuite(quick, output).run();
            default -> new FaultSuite(quick, output).run();
        };
        if (!json) {
            System.out.printf(
                    "%s, %d cores, Java %s%n",
                    System.getProperty("os.arch"),
                    Runtime.getRuntime().availableProcessors(),
                    System.getProperty("java.vm.version"));
        }
        figures.forEach(figure -> System.out.println(json ? figure.json() : figure.row()));
        if (!json && args[0].equals("pool")) {
            System.out.println(Makespans.BOUND_IN_WORDS);
        }
        if (figures.stream().anyMatch(Figure::hasFailed)) {
            System.exit(1);
        }
    }
}
