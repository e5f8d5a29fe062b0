package org.rankunit.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.rankunit.cli.bench.Bench;
import org.rankunit.cli.bench.RankFailure;
import org.rankunit.cli.bench.request.Average;
import org.rankunit.cli.bench.request.BenchRequest;
import org.rankunit.cli.bench.request.Sizes;
import org.rankunit.cli.bench.request.Types;
import org.rankunit.collective.call.Collective;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Measures collectives on ranks. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        versionProvider = RankUnitCommand.Version.class,
        description = {
            "Measure a collective on leased devices, one process for each rank: time, bandwidths, wrong values.",
            "Options and columns are those of nccl-tests. Every value is compared, at any number of ranks: inputs are"
                    + " made so that results are exact. On simulators, bandwidths are those of this machine's memory."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:All values are correct.",
            "1:A value is wrong, or a rank failed.",
            ExitCodes.USAGE_TEXT,
            ExitCodes.NO_POOL_TEXT
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  rankunit bench all-reduce --ranks 4 -b 8 -e 128M -f 2",
            "  rankunit bench all-gather --algorithm ring,mesh -b 1K -e 16M -f 4 --plot all-gather.html",
            "  rankunit bench reduce-scatter -d all -o all -b 4K -e 4K -J results.json",
            "  rankunit bench all-reduce --class-path target/classes --algorithm org.example.MyAllReduce"
        })
final class BenchCommand implements Callable<Integer> {

    @Mixin
    private PoolOptions options = new PoolOptions();

    @Option(names = "--ranks", paramLabel = "N", defaultValue = "2", description = "Default: ${DEFAULT-VALUE}.")
    private int ranks = 2;

    @Option(
            names = {"-b", "--minbytes"},
            paramLabel = "SIZE",
            defaultValue = "32M",
            description = "Smallest size, with K, M or G (default: ${DEFAULT-VALUE}). It is rounded down to as many"
                    + " elements for each rank.")
    private String minBytes = "32M";

    @Option(
            names = {"-e", "--maxbytes"},
            paramLabel = "SIZE",
            defaultValue = "32M",
            description = "Largest size (default: ${DEFAULT-VALUE}).")
    private String maxBytes = "32M";

    @Option(
            names = {"-i", "--stepbytes"},
            paramLabel = "SIZE",
            description = "Bytes between sizes (default: 1M).")
    private Optional<String> stepBytes = Optional.empty();

    @Option(
            names = {"-f", "--stepfactor"},
            paramLabel = "X",
            description = "Multiply sizes by this instead.")
    private Optional<Long> stepFactor = Optional.empty();

    @Option(
            names = {"-n", "--iters"},
            paramLabel = "N",
            defaultValue = "20",
            description = "Timed runs of each size (default: ${DEFAULT-VALUE}).")
    private int iterations = 20;

    @Option(
            names = {"-w", "--warmup_iters"},
            paramLabel = "N",
            defaultValue = "1",
            description = "Runs of all sizes before any is timed (default: ${DEFAULT-VALUE}).")
    private int warmups = 1;

    @Option(
            names = {"-c", "--check"},
            paramLabel = "0|1",
            defaultValue = "1",
            description = "Compare results (default: ${DEFAULT-VALUE}).")
    private int check = 1;

    @Option(
            names = {"-o", "--op"},
            paramLabel = "OP",
            defaultValue = "sum",
            description = "sum, prod, min, max, several with commas, or all (default: ${DEFAULT-VALUE}).")
    private String reduction = "sum";

    @Option(
            names = {"-d", "--datatype"},
            paramLabel = "TYPE",
            defaultValue = "float",
            description = "float, half, bfloat16, double, int8, ..., several with commas, or all"
                    + " (default: ${DEFAULT-VALUE}).")
    private String type = "float";

    @Option(
            names = {"-r", "--root"},
            paramLabel = "RANK",
            defaultValue = "0",
            description = "Root, or all (default: ${DEFAULT-VALUE}).")
    private String root = "0";

    @Option(
            names = {"-a", "--average"},
            paramLabel = "0-3",
            defaultValue = "1",
            description = "The time is that of rank 0 (0), or the mean (1), least (2) or most (3) of all ranks"
                    + " (default: ${DEFAULT-VALUE}).")
    private int average = 1;

    @Option(
            names = {"-T", "--timeout"},
            paramLabel = "SECONDS",
            defaultValue = "300",
            description = "How long ranks may take to come up, and one measurement (default: ${DEFAULT-VALUE}).")
    private long timeout = 300;

    @Option(
            names = {"-J", "--output_file"},
            paramLabel = "FILE",
            description = "Write the results as JSON.")
    private Optional<Path> json = Optional.empty();

    @Option(
            names = "--plot",
            paramLabel = "FILE",
            description =
                    "Draw bus bandwidth over size, a curve for each algorithm: a page (.html) or a drawing (.svg).")
    private Optional<Path> plot = Optional.empty();

    @Option(
            names = "--algorithm",
            paramLabel = "NAME",
            split = ",",
            description =
                    "Names of algorithms, families such as ring and mesh, your classes, or files of MSCCL (NAME.xml);"
                            + " measured one after the other. Without any, what RankUnit's rules choose.")
    private List<String> algorithms = List.of();

    @Option(
            names = "--class-path",
            paramLabel = "PATH",
            split = ":",
            description = "Folders and jars with algorithms of your own, separated by colons.")
    private List<Path> classPath = List.of();

    @Parameters(
            paramLabel = "COLLECTIVE",
            description = "all-reduce, all-gather, reduce-scatter, broadcast, reduce, scatter, gather or all-to-all.")
    private String name = "";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter err = spec.commandLine().getErr();
        Bench bench = new Bench(request(), json, plot, spec.commandLine().getOut(), err);
        try {
            return bench.run(options.access()) ? ExitCodes.FINE : ExitCodes.NOT_WELL;
        } catch (RankFailure e) {
            err.println(e.getMessage());
            err.flush();
            return ExitCodes.NOT_WELL;
        }
    }

    private BenchRequest request() {
        Collective collective = BenchRequest.collective(name);
        return new BenchRequest(
                collective,
                ranks,
                Sizes.of(minBytes, maxBytes, stepBytes, stepFactor),
                iterations,
                warmups,
                check != 0,
                Average.numbered(average),
                Types.types(type, collective),
                Types.reductions(reduction, collective),
                Types.roots(root, collective, ranks),
                algorithms,
                classPath,
                Duration.ofSeconds(timeout));
    }
}
