package org.rankunit.cli.collective;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.rankunit.cli.pool.UsageException;
import org.rankunit.collective.call.Servers;
import org.rankunit.collective.simulate.LinkModel;
import org.rankunit.collective.simulate.Topology;
import org.rankunit.collective.simulate.TopologyFile;
import org.rankunit.collective.yaml.YamlException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The machine that a command models: a file, or a few numbers. */
public final class MachineOptions {

    private static final double MICRO = 1e-6;
    private static final double GIGA = 1e9;
    private static final String TOPOLOGY = "--topology";
    private static final String LATENCY = "--latency";
    private static final String BANDWIDTH = "--bandwidth";
    private static final String PORTS = "--ports";
    private static final String BETWEEN_LATENCY = "--between-latency";
    private static final String BETWEEN_BANDWIDTH = "--between-bandwidth";
    private static final String RANKS_PER_SERVER = "--ranks-per-server";
    private static final String OVERSUBSCRIPTION = "--oversubscription";

    /** What a file says. */
    private static final List<String> IN_FILE =
            List.of(LATENCY, BANDWIDTH, PORTS, BETWEEN_LATENCY, BETWEEN_BANDWIDTH, OVERSUBSCRIPTION);

    @Option(
            names = TOPOLOGY,
            paramLabel = "FILE",
            description = "The machine as a topology.yaml describes it; in place of the options for links.")
    private Optional<Path> file = Optional.empty();

    @Option(
            names = LATENCY,
            paramLabel = "US",
            defaultValue = "2",
            description = "Of a transfer, in microseconds (default: ${DEFAULT-VALUE}).")
    private double latency = 2;

    @Option(
            names = BANDWIDTH,
            paramLabel = "GB/S",
            defaultValue = "56",
            description = "Of a port, in 10^9 bytes per second (default: ${DEFAULT-VALUE}).")
    private double bandwidth = 56;

    @Option(
            names = PORTS,
            paramLabel = "N",
            defaultValue = "1",
            description = "Ports of each rank, which send and receive at the same time (default: ${DEFAULT-VALUE}).")
    private int ports = 1;

    @Option(
            names = RANKS_PER_SERVER,
            paramLabel = "N",
            description = "Ranks on each server, as in 4, or on servers of different size, as in 3+1+2; those of the"
                    + " file, or all on one server if not given.")
    private Optional<String> ranksPerServer = Optional.empty();

    @Option(
            names = BETWEEN_LATENCY,
            paramLabel = "US",
            description = "Between servers; as inside a server if not given.")
    private Optional<Double> betweenLatency = Optional.empty();

    @Option(
            names = BETWEEN_BANDWIDTH,
            paramLabel = "GB/S",
            description = "Between servers; as inside a server if not given.")
    private Optional<Double> betweenBandwidth = Optional.empty();

    @Option(
            names = OVERSUBSCRIPTION,
            paramLabel = "X",
            defaultValue = "1",
            description = "The uplink of a server has the bandwidth of its ranks' ports divided by this"
                    + " (default: ${DEFAULT-VALUE}).")
    private double oversubscription = 1;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    /**
     * Read the machine.
     *
     * @throws UsageException if it cannot be
     */
    public Topology topology() {
        if (file.isPresent()) {
            for (String option : IN_FILE) {
                if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
                    throw new UsageException(option + " has no meaning with " + TOPOLOGY + ": the file specifies it.");
                }
            }
            try {
                return TopologyFile.read(file.get());
            } catch (YamlException e) {
                throw new UsageException(TOPOLOGY + ": " + e.getMessage());
            }
        }
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

    /**
     * Check what is said of servers before the number of ranks is known.
     *
     * @throws UsageException if no number of ranks could be divided so
     */
    public void requireServers() {
        ranksPerServer.ifPresent(text -> {
            try {
                Servers.parse(text);
            } catch (IllegalArgumentException e) {
                throw new UsageException(RANKS_PER_SERVER + " = " + e.getMessage() + ".");
            }
        });
    }

    /**
     * Divide ranks among servers as given, or put all on one.
     *
     * @param ranks 1 or more
     * @throws UsageException if they cannot be divided so
     */
    public Servers servers(Topology topology, int ranks) {
        int members = topology.levels().get(0).members();
        try {
            return ranksPerServer.isPresent()
                    ? Servers.parse(ranksPerServer.get(), ranks)
                    : Servers.of(ranks, members > 0 ? members : ranks);
        } catch (IllegalArgumentException e) {
            throw new UsageException(RANKS_PER_SERVER + " = " + e.getMessage() + ".");
        }
    }
}
