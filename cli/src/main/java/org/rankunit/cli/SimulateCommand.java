package org.rankunit.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.rankunit.DType;
import org.rankunit.cli.collective.Algorithms;
import org.rankunit.cli.collective.Exports;
import org.rankunit.cli.collective.FileCalls;
import org.rankunit.cli.collective.Imports;
import org.rankunit.cli.collective.MachineOptions;
import org.rankunit.cli.collective.Pictures;
import org.rankunit.cli.pool.UsageException;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.DeadlockException;
import org.rankunit.collective.OrchestrationException;
import org.rankunit.collective.algorithms.BuiltinAlgorithms;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.MemoryMode;
import org.rankunit.collective.exchange.GoalProgram;
import org.rankunit.collective.exchange.LocalCost;
import org.rankunit.collective.exchange.msccl.MscclAlgorithm;
import org.rankunit.collective.picture.CollectivePicture;
import org.rankunit.collective.schedule.Schedule;
import org.rankunit.collective.schedule.TooManyTasksException;
import org.rankunit.collective.select.Candidates;
import org.rankunit.collective.simulate.Simulation;
import org.rankunit.collective.simulate.Topology;
import org.rankunit.collective.simulate.lockstep.Lockstep;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Tells how long algorithms of collectives take on a modelled machine. */
@Command(
        name = "simulate",
        mixinStandardHelpOptions = true,
        versionProvider = RankUnitCommand.Version.class,
        description = {
            "Compute how long algorithms of collectives take on a modelled machine, by discrete events, without a device.",
            "A transfer takes the latency and its bytes divided by the bandwidth; ports and uplinks are shared."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            ExitCodes.FINE_TEXT,
            "1:An algorithm does not apply, waits forever, or has too many tasks.",
            ExitCodes.USAGE_TEXT
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  rankunit simulate RingAllReduce --ranks 64 --count 1000000",
            "  rankunit simulate --collective all-reduce --ranks 64",
            "  rankunit simulate --collective all-reduce --class-path target/classes org.example.MyAllReduce",
            "  rankunit simulate RingAllReduce --ranks 64 --ranks-per-server 8 --between-bandwidth 20",
            "  rankunit simulate RingAllReduce --ranks 4 --picture ring.svg",
            "  rankunit simulate RingAllReduce --export goal=ring.goal --export chakra=traces",
            "  rankunit simulate --import ring.goal --signal-bytes 1",
            "  rankunit simulate --import theirs.goal --eager-bytes 65535",
            "  rankunit simulate --import traces",
            "  rankunit simulate RingAllReduce --ranks 4 --export msccl=ring.xml",
            "  rankunit simulate ring.xml"
        })
final class SimulateCommand implements Callable<Integer> {

    private static final double MICRO = 1e-6;
    private static final int MAX_RANKS = 1 << 20;
    private static final String RANKS = "--ranks";
    private static final String COUNT = "--count";
    private static final String EXPORT = "--export";
    private static final String IMPORT = "--import";
    private static final String PICTURE = "--picture";
    private static final String SIGNAL_BYTES = "--signal-bytes";
    private static final String EAGER_BYTES = "--eager-bytes";
    private static final String COLLECTIVE = "--collective";

    @Option(
            names = RANKS,
            paramLabel = "N",
            defaultValue = "8",
            description = "Default: ${DEFAULT-VALUE}; for a file, its own.")
    private int ranks = 8;

    @Option(
            names = COUNT,
            paramLabel = "N",
            defaultValue = "262144",
            description =
                    "Elements of each rank, float32 (default: ${DEFAULT-VALUE}; for a file, the next multiple of its chunks).")
    private long count = 262_144;

    @Mixin
    private MachineOptions machine = new MachineOptions();

    @Option(
            names = "--class-path",
            paramLabel = "PATH",
            split = ":",
            description = "Folders and jars with algorithms of your own, separated by colons.")
    private List<Path> classPath = List.of();

    @Option(names = PoolOptions.STACK_TRACE, description = "Print the stack trace of an error.")
    boolean stackTrace;

    @Option(
            names = COLLECTIVE,
            paramLabel = "NAME",
            description =
                    "Compare all algorithms that RankUnit has for this collective, and your own that are named, the"
                            + " fastest one first.")
    private Optional<String> collective = Optional.empty();

    @Option(
            names = EXPORT,
            paramLabel = "FORMAT=PATH",
            description =
                    "Write the schedule of the algorithm: goal=FILE (LogGOPSim, ATLAHS), chakra=FOLDER with a file"
                            + " for each rank (ASTRA-sim), or msccl=FILE (MSCCL, RCCL). May be given several times.")
    private List<String> export = List.of();

    @Option(
            names = PICTURE,
            paramLabel = "FILE",
            description = "Draw the algorithm: lanes of ranks, transfers, and what each chunk holds at each step."
                    + " FILE ends in .svg or .html.")
    private Optional<Path> picture = Optional.empty();

    @Option(
            names = IMPORT,
            paramLabel = "PATH",
            description =
                    "Run the operations of a GOAL file, or of Chakra traces (their folder, or FOLDER/NAME), in place of"
                            + " an algorithm.")
    private Optional<Path> imported = Optional.empty();

    @Option(
            names = SIGNAL_BYTES,
            paramLabel = "N",
            description =
                    "With " + IMPORT + ": messages of at most N bytes are signals, which take no time; 1 for files"
                            + " that " + EXPORT + " wrote. All take time if not given.")
    private Optional<Long> signalBytes = Optional.empty();

    @Option(
            names = EAGER_BYTES,
            paramLabel = "N",
            description =
                    "With " + IMPORT + ": a send of at most N bytes ends when its message begins to leave, as with"
                            + " -S of LogGOPSim, whose default is 65535. Otherwise it ends when the message has arrived.")
    private Optional<Long> eagerBytes = Optional.empty();

    @Parameters(
            arity = "0..*",
            paramLabel = "ALGORITHM",
            description = "Names of algorithms, of your classes, or of files of MSCCL (NAME.xml).")
    private List<String> names = List.of();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        if (ranks > MAX_RANKS) {
            throw new UsageException(RANKS + " = " + ranks + ": expected 1 to " + MAX_RANKS + " ranks.");
        }
        Topology topology = machine.topology();
        machine.requireServers();
        PrintWriter out = spec.commandLine().getOut();
        Exports exports = Exports.of(export);
        picture.ifPresent(Pictures::requireFormat);
        requireOnePurpose(exports);
        if (imported.isPresent()) {
            long signals = signalBytes.orElse(GoalProgram.NO_SIGNALS);
            long eager = eagerBytes.orElse(GoalProgram.NO_EAGER);
            out.println(Imports.report(imported.get(), topology, machine, signals, eager));
            out.flush();
            return ExitCodes.FINE;
        }
        boolean all = true;
        try (Algorithms algorithms = Algorithms.in(classPath)) {
            if (collective.isPresent()) {
                CollectiveCall call = call(named(collective.get()), topology);
                out.println(
                        Candidates.of(call, topology, others(algorithms, call)).report());
                out.flush();
                return ExitCodes.FINE;
            }
            for (CollectiveAlgorithm algorithm : algorithms.named(names)) {
                all &= simulate(algorithm, call(algorithm, topology), topology, exports, out);
                out.flush();
            }
        }
        return all ? ExitCodes.FINE : ExitCodes.NOT_WELL;
    }

    /** Options that would have no effect are refused, so that nothing waits for it. */
    private void requireOnePurpose(Exports exports) {
        if (imported.isPresent()) {
            if (!names.isEmpty() || collective.isPresent()) {
                throw new UsageException(
                        IMPORT + ": a file has operations of its own; name no algorithm and no collective.");
            }
            for (String option : List.of(RANKS, COUNT, EXPORT, PICTURE)) {
                if (isGiven(option)) {
                    throw new UsageException(option + " has no meaning with " + IMPORT + ".");
                }
            }
            return;
        }
        if (collective.isEmpty() && names.isEmpty()) {
            throw new UsageException("Name algorithms, or a collective by --collective. " + IMPORT + " reads a file.");
        }
        if (signalBytes.isPresent()) {
            throw new UsageException(SIGNAL_BYTES + " needs " + IMPORT + ": signals of an algorithm take no time.");
        }
        if (eagerBytes.isPresent()) {
            throw new UsageException(EAGER_BYTES + " needs " + IMPORT + ": algorithms have no sends.");
        }
        if (!exports.isEmpty() && (names.size() != 1 || collective.isPresent())) {
            throw new UsageException(EXPORT + " needs one algorithm.");
        }
        if (picture.isPresent() && (names.size() != 1 || collective.isPresent())) {
            throw new UsageException(PICTURE + " needs one algorithm.");
        }
    }

    /** Those that were named, but for those that are compared anyway. */
    private List<CollectiveAlgorithm> others(Algorithms algorithms, CollectiveCall call) {
        if (names.isEmpty()) {
            return List.of();
        }
        List<CollectiveAlgorithm> others = algorithms.named(names);
        others.stream()
                .filter(each -> each.collective() != call.collective())
                .findFirst()
                .ifPresent(other -> {
                    throw new UsageException(other.name() + " is an algorithm for " + other.collective() + ", not for "
                            + call.collective() + ".");
                });
        return others.stream()
                .filter(each -> each instanceof MscclAlgorithm
                        || BuiltinAlgorithms.named(each.name()).isEmpty())
                .toList();
    }

    private static Collective named(String name) {
        List<Collective> all = List.of(Collective.values());
        return all.stream()
                .filter(each -> each.toString().equals(name))
                .findFirst()
                .orElseThrow(() -> new UsageException("--collective = \"" + name + "\": expected one of "
                        + String.join(
                                ", ", all.stream().map(Collective::toString).toList()) + "."));
    }

    private CollectiveCall call(Collective operation, Topology topology) {
        return onServers(() -> CollectiveCall.of(operation, ranks, DType.FLOAT32, count), topology);
    }

    private CollectiveCall call(CollectiveAlgorithm algorithm, Topology topology) {
        return onServers(() -> FileCalls.call(algorithm, ranks, isGiven(RANKS), count, isGiven(COUNT)), topology);
    }

    private CollectiveCall onServers(Supplier<CollectiveCall> made, Topology topology) {
        try {
            CollectiveCall call = made.get();
            return call.withServers(machine.servers(topology, call.ranks()));
        } catch (IllegalArgumentException e) {
            throw new UsageException("No such call: " + e.getMessage());
        }
    }

    private boolean isGiven(String option) {
        return spec.commandLine().getParseResult().hasMatchedOption(option);
    }

    private boolean simulate(
            CollectiveAlgorithm algorithm, CollectiveCall asked, Topology topology, Exports exports, PrintWriter out) {
        CollectiveCall call = asked;
        if (algorithm.unsupportedReason(call).isPresent()) {
            call = call.withMemory(MemoryMode.SINGLE_OPERATOR, call.cclBytes());
        }
        try {
            boolean needsAllRanks = !exports.isEmpty() || picture.isPresent();
            Optional<Simulation> byOneRank =
                    needsAllRanks ? Optional.empty() : Lockstep.simulate(algorithm, call, topology);
            if (byOneRank.isPresent()) {
                print(byOneRank.get(), algorithm, topology, out);
                out.println(
                        "  by symmetry: rank 0 was timed; ranks at powers of two and the last one were compared with it");
                return true;
            }
            Schedule schedule =
                    picture.isPresent() ? Schedule.withLines(algorithm, call) : Schedule.of(algorithm, call);
            print(Simulation.of(schedule, topology), algorithm, topology, out);
            exports.write(schedule, LocalCost.of(topology)).forEach(line -> out.println("  " + line));
            picture.ifPresent(
                    file -> out.println("  " + Pictures.write(CollectivePicture.of(schedule, topology), file)));
            return true;
        } catch (OrchestrationException | DeadlockException | TooManyTasksException e) {
            out.println(e.getMessage());
            return false;
        }
    }

    private static void print(
            Simulation simulation, CollectiveAlgorithm algorithm, Topology topology, PrintWriter out) {
        out.println(simulation.report());
        formula(algorithm, simulation.call(), topology)
                .ifPresent(seconds -> out.println(String.format(
                        Locale.ROOT,
                        "  formula: %.3f us, so contention and uneven parts cost %.1f %%",
                        seconds / MICRO,
                        Math.max(0, simulation.seconds() / seconds - 1) * 100)));
    }

    /** A formula knows one kind of links. */
    private static OptionalDouble formula(CollectiveAlgorithm algorithm, CollectiveCall call, Topology topology) {
        return call.servers().count() > 1
                ? OptionalDouble.empty()
                : algorithm.cost(call).stream()
                        .mapToDouble(cost -> Simulation.formula(cost, topology.inside()))
                        .filter(seconds -> seconds > 0)
                        .findFirst();
    }
}
