package org.rankunit.engine.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import org.rankunit.DType;
import org.rankunit.coll.CollectiveAlgorithm;
import org.rankunit.coll.OrchestrationException;
import org.rankunit.coll.call.Collective;
import org.rankunit.coll.call.CollectiveCall;
import org.rankunit.coll.call.MemoryMode;
import org.rankunit.coll.schedule.Schedule;
import org.rankunit.coll.select.Candidates;
import org.rankunit.coll.simulate.LinkModel;
import org.rankunit.coll.simulate.Simulation;
import org.rankunit.coll.simulate.Topology;
import org.rankunit.engine.cli.collective.Algorithms;
import org.rankunit.engine.cli.pool.UsageException;
import picocli.CommandLine.Command;
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
        exitCodeList = {ExitCodes.FINE_TEXT, "1:An algorithm does not apply.", ExitCodes.USAGE_TEXT},
        footerHeading = "%nExamples:%n",
        footer = {
            "  rankunit simulate RingAllReduce --ranks 64 --count 1000000",
            "  rankunit simulate --collective all-reduce --ranks 64",
            "  rankunit simulate RingAllReduce --ranks 64 --ranks-per-server 8 --between-bandwidth 20"
        })
final class SimulateCommand implements Callable<Integer> {

    private static final double MICRO = 1e-6;
    private static final double GIGA = 1e9;

    @Option(names = "--ranks", paramLabel = "N", defaultValue = "8", description = "Default: ${DEFAULT-VALUE}.")
    private int ranks = 8;

    @Option(
            names = "--count",
            paramLabel = "N",
            defaultValue = "262144",
            description = "Elements of each rank, float32 (default: ${DEFAULT-VALUE}).")
    private long count = 262_144;

    @Option(
            names = "--latency",
            paramLabel = "US",
            defaultValue = "2",
            description = "Of a transfer, in microseconds (default: ${DEFAULT-VALUE}).")
    private double latency = 2;

    @Option(
            names = "--bandwidth",
            paramLabel = "GB/S",
            defaultValue = "56",
            description = "Of a port, in 10^9 bytes per second (default: ${DEFAULT-VALUE}).")
    private double bandwidth = 56;

    @Option(
            names = "--ports",
            paramLabel = "N",
            defaultValue = "1",
            description = "Ports of each rank, which send and receive at the same time (default: ${DEFAULT-VALUE}).")
    private int ports = 1;

    @Option(names = "--ranks-per-server", paramLabel = "N", description = "Ranks on one server; all if not given.")
    private Optional<Integer> ranksPerServer = Optional.empty();

    @Option(names = "--between-latency", paramLabel = "US", description = "Between servers; as inside if not given.")
    private Optional<Double> betweenLatency = Optional.empty();

    @Option(
            names = "--between-bandwidth",
            paramLabel = "GB/S",
            description = "Between servers; as inside if not given.")
    private Optional<Double> betweenBandwidth = Optional.empty();

    @Option(
            names = "--oversubscription",
            paramLabel = "X",
            defaultValue = "1",
            description = "The uplink of a server has the bandwidth of its ranks' ports divided by this"
                    + " (default: ${DEFAULT-VALUE}).")
    private double oversubscription = 1;

    @Option(
            names = "--class-path",
            paramLabel = "PATH",
            split = ":",
            description = "Folders and jars with algorithms of your own, separated by colons.")
    private List<Path> classPath = List.of();

    @Option(names = PoolOptions.STACK_TRACE, description = "Print the stack trace of an error.")
    boolean stackTrace;

    @Option(
            names = "--collective",
            paramLabel = "NAME",
            description = "Compare all algorithms that RankUnit brings for this collective, the fastest one first.")
    private Optional<String> collective = Optional.empty();

    @Parameters(arity = "0..*", paramLabel = "ALGORITHM", description = "Names of algorithms, or of your classes.")
    private List<String> names = List.of();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        Topology topology = topology();
        PrintWriter out = spec.commandLine().getOut();
        if (collective.isPresent() != names.isEmpty()) {
            throw new UsageException("Name algorithms, or a collective by --collective.");
        }
        if (collective.isPresent()) {
            out.println(Candidates.of(call(named(collective.get())), topology).report());
            out.flush();
            return ExitCodes.FINE;
        }
        boolean all = true;
        try (Algorithms algorithms = Algorithms.in(classPath)) {
            for (CollectiveAlgorithm algorithm : algorithms.named(names)) {
                all &= simulate(algorithm, topology, out);
                out.flush();
            }
        }
        return all ? ExitCodes.FINE : ExitCodes.NOT_WELL;
    }

    private Topology topology() {
        try {
            LinkModel inside = new LinkModel(latency * MICRO, bandwidth * GIGA, ports, true);
            LinkModel between = new LinkModel(
                    betweenLatency.orElse(latency) * MICRO, betweenBandwidth.orElse(bandwidth) * GIGA, ports, true);
            Topology plain = Topology.uniform(inside);
            return new Topology(
                    inside, between, oversubscription, plain.task(), plain.copyBandwidth(), plain.reduction());
        } catch (IllegalArgumentException e) {
            throw new UsageException("The machine cannot be modelled: " + e.getMessage());
        }
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

    private CollectiveCall call(Collective operation) {
        try {
            return CollectiveCall.of(operation, ranks, DType.FLOAT32, count)
                    .withRanksPerServer(ranksPerServer.orElse(Math.max(ranks, 1)));
        } catch (IllegalArgumentException e) {
            throw new UsageException("No such call: " + e.getMessage());
        }
    }

    private boolean simulate(CollectiveAlgorithm algorithm, Topology topology, PrintWriter out) {
        CollectiveCall call = call(algorithm.collective());
        if (algorithm.whyNot(call).isPresent()) {
            call = call.withMemory(MemoryMode.SINGLE_OPERATOR, call.cclBytes());
        }
        try {
            Simulation simulation = Simulation.of(Schedule.of(algorithm, call), topology);
            out.println(simulation.report());
            formula(algorithm, call, topology)
                    .ifPresent(seconds -> out.println(String.format(
                            Locale.ROOT,
                            "  formula: %.3f us, so contention and uneven parts cost %.1f %%",
                            seconds / MICRO,
                            Math.max(0, simulation.seconds() / seconds - 1) * 100)));
            return true;
        } catch (OrchestrationException e) {
            out.println(e.getMessage());
            return false;
        }
    }

    /** A formula knows one kind of links. */
    private static OptionalDouble formula(CollectiveAlgorithm algorithm, CollectiveCall call, Topology topology) {
        return call.ranksPerServer() < call.ranks()
                ? OptionalDouble.empty()
                : algorithm.cost(call).stream()
                        .mapToDouble(cost -> Simulation.formula(cost, topology.inside()))
                        .filter(seconds -> seconds > 0)
                        .findFirst();
    }
}
